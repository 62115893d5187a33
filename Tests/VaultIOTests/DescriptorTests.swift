import CProbe
import Foundation
import Testing
import VaultFault
import VaultIO

@Suite struct DescriptorTests {
  @Test func everyKindOfInputIsReadToItsEnd() throws {
    let scratch = Scratch()
    let file = scratch.write("f", [1, 2, 3])
    #expect(try File.read(Path(file), limit: 3) == [1, 2, 3])
    #expect(try File.read("/dev/null", limit: 3) == [])
    #expect(try !File.read("/proc/self/status", limit: 65_536).isEmpty)
    var pair: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
    write(pair[0], "hello", 5)
    close(pair[0])
    let socket = Descriptor(owning: pair[1], name: "socket")
    #expect(try socket.readAll(limit: 10) == Array("hello".utf8))
    #expect(socket.kind == .socket)
  }

  @Test func aFileOverTheLimitIsRefused() throws {
    let file = Scratch().self
    let path = file.write("f", [UInt8](repeating: 7, count: 100_001))
    #expect(throws: Fault.self) { try File.read(Path(path), limit: 100_000) }
    #expect(try File.read(Path(path), limit: 100_001).count == 100_001)
  }

  @Test func aDirectoryIsNamedAsSuch() throws {
    let fault = #expect(throws: Fault.self) { _ = try File.read("/tmp", limit: 10) }
    #expect(fault?.kind == .readFailed)
    #expect(fault?.reason == #"cannot read "/tmp": is a directory"#)
    let running = try Running(["copy"], input: .file("/tmp"))
    #expect(Running.text(running.error).hasSuffix("cannot read standard input: is a directory\n"))
    #expect(running.wait() == .exited(74))
  }

  @Test func aMissingFileIsNamedWithTheReason() {
    let fault = #expect(throws: Fault.self) { _ = try File.open("/no/such") }
    #expect(fault?.reason == #"cannot open "/no/such": no such file or directory"#)
  }

  @Test func P04_aReadErrorIsNotTheEnd() throws {
    var name = [CChar](repeating: 0, count: 100)
    let master = Descriptor(owning: probe_open_terminal(&name, 100), name: "terminal")
    let other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    write(other, "abc", 3)
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(try master.read(into: &buffer) == 3)
    close(other)
    let fault = #expect(throws: Fault.self) { _ = try master.readAll(limit: 10) }
    #expect(fault?.reason == "cannot read terminal: input/output error")
  }

  @Test func aFullDeviceIsAnError() throws {
    let running = try Running(["copy"], output: .file("/dev/full"))
    running.send([1])
    #expect(
      Running.text(running.error).hasSuffix("standard output: no space left on device\n"))
    #expect(running.wait() == .exited(74))
  }

  @Test func closedStandardDescriptorsAreErrorsNotSilence() throws {
    let noInput = try Running(["copy"], input: .closed)
    #expect(Running.text(noInput.error).hasSuffix("standard input: bad file descriptor\n"))
    #expect(noInput.wait() == .exited(74))
    let noOutput = try Running(["copy"], output: .closed)
    noOutput.send([1])
    #expect(Running.text(noOutput.error).hasSuffix("standard output: bad file descriptor\n"))
    #expect(noOutput.wait() == .exited(74))
  }

  @Test func aClosedStandardErrorChangesNothing() throws {
    let running = try Running(["copy"], error: .closed)
    running.send([1, 2])
    running.endInput()
    #expect(Running.all(running.output) == [1, 2])
    #expect(running.wait() == .exited(0))
  }

  @Test func P12_nonBlockingPipesAreWaitedFor() throws {
    let running = try Running(["copy"], input: .nonBlockingPipe, output: .nonBlockingPipe)
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let sender = Thread {
      usleep(100_000)
      running.send(bytes)
      running.endInput()
    }
    sender.start()
    usleep(300_000)
    #expect(Running.all(running.output) == bytes)
    #expect(running.wait() == .exited(0))
  }

  @Test func aBrokenPipeEndsAFilterQuietlyAndIsAFaultWhereIgnored() throws {
    for (words, ending) in [
      (["copy"], Ending.signalled(SIGPIPE)), (["copy", "ignore-pipe"], .exited(74)),
    ] {
      var ends: [Int32] = [0, 0]
      _ = probe_pipe(&ends)
      close(ends[0])
      let running = try Running(words, output: .descriptor(ends[1]))
      close(ends[1])
      running.send([1])
      let said = Running.text(running.error)
      #expect(running.wait() == ending)
      #expect(said.isEmpty || said.hasSuffix("standard output: broken pipe\n"))
    }
  }

  @Test func L01_moreThanTwoGigabytesGoOutInPieces() throws {
    let count = 3 << 30
    let pages = try #require(
      mmap(nil, count, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))
    defer { munmap(pages, count) }
    let sink = Descriptor(owning: open("/dev/null", O_WRONLY), name: "null")
    let raw = UnsafeRawBufferPointer(start: pages, count: count)
    try sink.writeAll(raw.bindMemory(to: UInt8.self).span)
  }

  @Test func theSameFileIsKnownByAnyName() throws {
    let scratch = Scratch()
    let path = scratch.write("a", [1])
    link(path, scratch.path + "/b")
    let other = scratch.write("c", [1])
    #expect(File.identity(Path(path)) == File.identity(Path(scratch.path + "/b")))
    #expect(File.identity(Path(path)) != File.identity(Path(other)))
    #expect(File.identity("/no/such") == nil)
  }

  @Test func whatRemainsCountsFromThePosition() throws {
    let path = Scratch().self
    let file = try File.open(Path(path.write("f", [1, 2, 3, 4])))
    var buffer: [UInt8] = [0]
    _ = try file.read(into: &buffer)
    #expect(file.size == 4)
    #expect(file.remaining == 3)
    #expect(try file.pread(into: &buffer, at: 3) == 1)
    #expect(buffer == [4])
  }

  @Test func headAndBodyGoOutInOrder() throws {
    var ends: [Int32] = [0, 0]
    _ = probe_pipe(&ends)
    let output = Descriptor(owning: ends[1], name: "pipe")
    try output.writeAll([1, 2].span, [3].span)
    try output.writeAll([UInt8]().span, [4].span)
    try output.writeAll([5].span, [UInt8]().span)
    try output.close()
    #expect(try Descriptor(owning: ends[0], name: "pipe").readAll(limit: 9) == [1, 2, 3, 4, 5])
  }

  @Test func aSecretOthersCanReadIsRefusedWithTheRemedy() throws {
    let scratch = Scratch()
    let path = scratch.write("key", [1])
    chmod(path, 0o640)
    let fault = #expect(throws: Fault.self) { _ = try SecretFile.open(Path(path)) }
    #expect(fault?.kind == .badKeyFile)
    #expect(fault?.hint == "chmod 600 \"\(path)\"")
    #expect(try SecretFile.open(Path(path), insecurePermissions: true).kind == .regular)
    chmod(path, 0o602)
    #expect(throws: Fault.self) { _ = try SecretFile.open(Path(path)) }
    chmod(path, 0o600)
    #expect(try SecretFile.open(Path(path)).kind == .regular)
  }
}
