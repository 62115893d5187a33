internal import CProbe
internal import VaultFault
internal import VaultIO

extension Probe {
  /// Copies standard input to standard output.
  static func copy(_ words: [String]) throws(Fault) {
    if words.contains("windows") { probe_catch_window_changes() }
    if words.contains("ignore-pipe") { Signals.ignorePipe() }
    Signals.watch()
    let input = Descriptor.standardInput()
    let output = Descriptor.standardOutput()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = try input.read(into: &buffer)
      if count == 0 { return }
      try output.writeAll(buffer.span.extracting(..<count))
    }
  }

  /// Writes frames (16 times `h`, then 1 MiB of `b`) until it is told to stop, and then an `X`.
  static func frames() throws(Fault) {
    Signals.watch()
    var output = FrameOutput(.standardOutput())
    let head = [UInt8](repeating: 104, count: 16)
    let body = [UInt8](repeating: 98, count: 1 << 20)
    do throws(Fault) {
      while true { try output.write(head.span, body.span) }
    } catch {
      let told = output.abort([88].span)
      say("abort \(told)\n", to: .standardError())
      throw error
    }
  }

  /// Never asks whether a signal is there.
  static func sleepForEver(_ words: [String]) {
    Signals.watch(endingWithin: words.first.flatMap { Int32($0) })
    say("ready\n")
    while true { Clock.sleep(milliseconds: 10_000) }
  }

  static func countDescriptors(_ words: [String]) {
    Hardening.closeOthers(keeping: words.compactMap { Int32($0) })
    let open = (Int32(0)..<200).filter { Descriptor(borrowing: $0, name: "").identity != nil }
    say(open.map { String($0) }.joined(separator: " ") + "\n")
  }

  static func atomic(_ words: [String]) throws(Fault) {
    var protections = Hardening.start()
    if words.contains("nobody") { _ = probe_become(65_534) }
    let file = try AtomicFile(Path(words[0]), mode: words.contains("replace") ? .replace : .create)
    try Hardening.confine(
      .keyTool(directories: [file.directory.descriptor.number]), adding: &protections)
    try file.descriptor.writeAll([104, 105].span)
    try file.commit()
  }

  static func child(_ words: [String]) throws(Fault) {
    Signals.watch()
    let child = try Child(words.map { Array($0.utf8) })
    var protections = Hardening.start()
    try Hardening.confine(.keyTool(child: child.process), adding: &protections)
    do throws(Fault) {
      let bytes = try child.output.readAll(limit: 1 << 20)
      say(String(decoding: bytes, as: UTF8.self))
      say("\(try child.wait())\n", to: .standardError())
    } catch {
      if let signal = error.signal { child.forward(signal) }
      throw error
    }
  }

  static func ask() throws(Fault) {
    let terminal = try Terminal()
    var protections = Hardening.start()
    try Hardening.confine(.keyTool(), adding: &protections)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 8)
    defer { unsafe buffer.deallocate() }
    let count = unsafe try terminal.ask("password: ", into: buffer)
    say("got \(count)\n")
  }
}
