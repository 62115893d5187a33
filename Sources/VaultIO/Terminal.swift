internal import CLinux
internal import Glibc
public import VaultFault

/// The terminal of this process, for a password: opened before the sandbox, asked after it.
///
/// The echo is off only while a password is typed and comes back on every exit and signal (KILL
/// excepted), also while the process is stopped.
public struct Terminal: ~Copyable {
  private let descriptor: Descriptor

  /// Opens /dev/tty.
  ///
  /// - Throws: ``VaultFault/FaultKind/badConfiguration`` if this process has no terminal.
  public init() throws(Fault) { try self.init(path: "/dev/tty") }

  init(path: Path) throws(Fault) {
    let number = unsafe path.withPointer { unsafe linux_open_write(linux_at_cwd, $0) }
    if number < 0 {
      throw Fault(
        .badConfiguration, "no terminal to ask for the password: \(systemReason(-number))",
        hint: "give a password file or descriptor instead")
    }
    descriptor = Descriptor(owning: number, name: "terminal")
  }

  /// Its descriptor, which is kept open.
  public var number: Int32 { descriptor.number }

  /// Asks once, in at most 255 bytes. The answer goes into `buffer` and nowhere else, without its newline.
  ///
  /// - Returns: the bytes of the answer, at most `buffer.count - 1`.
  /// - Throws: ``VaultFault/FaultKind/cancelled``; ``VaultFault/FaultKind/badConfiguration`` for an
  ///   empty or overlong answer or a terminal that went away.
  public func ask(_ prompt: String, into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int
  {
    Signals.watchIfNot()
    let result = unsafe withCString(Array(prompt.utf8)) {
      unsafe linux_terminal_ask(descriptor.number, $0)
    }
    if result < 0 {
      throw Fault(.badConfiguration, "cannot hide the password: \(systemReason(-result))")
    }
    defer { linux_terminal_restore() }
    let count = unsafe try line(into: buffer)
    if count == 0 { throw Fault(.badConfiguration, "the password is empty") }
    return count
  }

  /// Asks twice, for a password that is made now.
  ///
  /// - Returns: the bytes of the answer in `buffer`.
  /// - Throws: as ``ask(_:into:)``; ``VaultFault/FaultKind/badConfiguration`` if the two differ.
  ///   `again` must be as large as `buffer`; the caller wipes both.
  public func askNew(
    _ prompt: String, repeating second: String, into buffer: UnsafeMutableRawBufferPointer,
    _ again: UnsafeMutableRawBufferPointer
  ) throws(Fault) -> Int {
    let count = unsafe try ask(prompt, into: buffer)
    let repeated = unsafe try ask(second, into: again)
    let same = unsafe buffer[..<count].elementsEqual(again[..<repeated])
    if !same { throw Fault(.badConfiguration, "the two passwords are not the same") }
    return count
  }

  private func line(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    var filled = 0
    while filled < buffer.count {
      try Signals.check()
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      guard let base = rest.baseAddress else { break }
      let count = unsafe linux_read(descriptor.number, base, rest.count)
      if count == -Int(EINTR) { continue }
      if count <= 0 { throw Fault(.badConfiguration, "the terminal gave no password") }
      filled += count
      if unsafe buffer[filled - 1] == UInt8(ascii: "\n") { return filled - 1 }
    }
    throw Fault(.badConfiguration, "the password has more than \(buffer.count - 1) bytes")
  }
}
