import Foundation
import Testing
import VaultFault
import VaultIO

@Suite struct AtomicFileTests {
  static let waySets: [[AtomicFile.Way]] = [
    AtomicFile.Way.allCases, [.moved], [.linked], [.moved, .linked],
  ]

  @Test(arguments: waySets)
  func nothingIsVisibleBeforeTheCommit(_ ways: [AtomicFile.Way]) throws {
    let scratch = Scratch()
    let path = Path(scratch.path + "/x")
    let file = try AtomicFile(path, ways: ways)
    try file.descriptor.writeAll([1, 2].span)
    #expect(!scratch.names.contains("x"))
    try file.commit()
    #expect(scratch.names == ["x"])
    #expect(try File.read(path, limit: 9) == [1, 2])
    #expect(try File.open(path).permissions == 0o600)
  }

  @Test(arguments: waySets)
  func nothingIsLeftWithoutACommit(_ ways: [AtomicFile.Way]) throws {
    let scratch = Scratch()
    do {
      let file = try AtomicFile(Path(scratch.path + "/x"), ways: ways)
      try file.descriptor.writeAll([1].span)
    }
    #expect(scratch.names == [])
  }

  @Test(arguments: waySets)
  func aNameTakenMeanwhileIsKept(_ ways: [AtomicFile.Way]) throws {
    let scratch = Scratch()
    let path = scratch.path + "/x"
    let file = try AtomicFile(Path(path), ways: ways)
    _ = scratch.write("x", [9])
    let fault = commitFault(file)
    #expect(fault?.kind == .exists)
    #expect(try File.read(Path(path), limit: 9) == [9])
    #expect(scratch.names == ["x"])
  }

  @Test func aNameTakenAtTheStartIsSaidAtOnce() {
    let scratch = Scratch()
    let path = Path(scratch.write("x", [9]))
    let fault = #expect(throws: Fault.self) { _ = try AtomicFile(path) }
    #expect(fault?.kind == .exists)
    #expect(fault?.status == .cannotCreate)
  }

  @Test(arguments: waySets)
  func aReplacedFileIsTheOldOneUntilTheCommit(_ ways: [AtomicFile.Way]) throws {
    let scratch = Scratch()
    let path = Path(scratch.write("x", [9]))
    let file = try AtomicFile(path, mode: .replace, ways: ways)
    try file.descriptor.writeAll([1].span)
    #expect(try File.read(path, limit: 9) == [9])
    try file.commit()
    #expect(try File.read(path, limit: 9) == [1])
    #expect(scratch.names == ["x"])
  }

  @Test func missingParentsAreMadePrivate() throws {
    let scratch = Scratch()
    try AtomicFile(Path(scratch.path + "/a/b/x"), creatingParents: true).commit()
    #expect(try File.open(Path(scratch.path + "/a")).permissions == 0o700)
    #expect(try File.open(Path(scratch.path + "/a/b")).permissions == 0o700)
    let fault = #expect(throws: Fault.self) { _ = try AtomicFile(Path(scratch.path + "/c/x")) }
    #expect(fault?.kind == .cannotCreate)
  }

  @Test func aFileSystemThatCanNameNoNewFileIsNamed() throws {
    let scratch = Scratch()
    let file = try AtomicFile(Path(scratch.path + "/x"), ways: [])
    let failed = commitFault(file)
    let fault = try #require(failed)
    #expect(fault.kind == .writeFailed)
    #expect(fault.reason.contains("its file system (type 0x"))
    #expect(scratch.names == [])
  }

  @Test(arguments: ["/tmp/", "/tmp/..", "."])
  func aPathWithoutAFileNameIsRefused(_ path: String) {
    let fault = #expect(throws: Fault.self) { _ = try AtomicFile(Path(path)) }
    #expect(fault?.kind == .cannotCreate)
  }

  @Test func aNameMayBeAnyBytesButNUL() throws {
    let scratch = Scratch()
    let name = Path(bytes: Array((scratch.path + "/").utf8) + [0xff, 0x0a])
    try AtomicFile(name).commit()
    #expect(File.kind(name) == .regular)
    let nul = Path(bytes: Array((scratch.path + "/").utf8) + [0x61, 0, 0x62])
    let unnameable = try AtomicFile(nul, ways: [.moved])
    let fault = commitFault(unnameable)
    #expect(fault?.kind == .writeFailed)
  }

  private func commitFault(_ file: consuming AtomicFile) -> Fault? {
    do throws(Fault) { try file.commit() } catch { return error }
    return nil
  }
}
