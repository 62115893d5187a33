internal import CLinux
internal import Glibc
public import VaultFault

/// A command whose standard output we read, started before this process gives up its rights.
///
/// It stays in our process group, shares standard input and error, has default signals, and gets TERM
/// when we die.
public struct Child: ~Copyable {
  /// How a command ended.
  public enum Ending: Equatable, Sendable {
    /// By itself, with this exit code.
    case exited(Int32)
    /// By this signal.
    case signalled(Int32)
  }

  /// Its process id, for ``Hardening``.
  public let process: Int32
  /// What it writes.
  public let output: Descriptor

  /// Starts `words[0]`, found by PATH, with the arguments after it.
  ///
  /// - Throws: ``VaultFault/FaultKind/commandFailed`` at once if it cannot be run.
  public init(_ words: [[UInt8]]) throws(Fault) {
    guard let first = words.first else { throw Fault(.usage, "no command given") }
    var output: Int32 = -1
    var process: Int32 = 0
    let result = Child.spawn(words, &output, &process)
    if result < 0 {
      // The command itself is not at fault when the system has no process or descriptor left.
      let lacks = [-EAGAIN, -ENOMEM, -EMFILE, -ENFILE].contains(result)
      throw Fault(
        lacks ? .noResources : .commandFailed,
        "cannot run \(quoted(utf8: first)): \(systemReason(-result))")
    }
    self.process = process
    self.output = Descriptor(owning: output, name: "output of \(quoted(utf8: first))")
  }

  // The words go to C as one block, each ended by NUL.
  private static func spawn(
    _ words: [[UInt8]], _ output: inout Int32, _ process: inout Int32
  ) -> Int32 {
    if words.contains(where: { $0.contains(0) }) { return -EINVAL }
    let block = words.flatMap { word -> [CChar] in word.map { CChar(bitPattern: $0) } + [0] }
    return unsafe linux_spawn(block, words.count, &output, &process)
  }

  /// Passes a signal on to it. INT comes to it from the terminal, as to us.
  public func forward(_ signal: Int32) { _ = linux_signals_send(process, signal) }

  /// Waits for its end.
  ///
  /// - Throws: ``VaultFault/FaultKind/cancelled``; it still runs then, and ``forward(_:)`` is next.
  public func wait() throws(Fault) -> Ending {
    var code: Int32 = 0
    var signal: Int32 = 0
    _ = try require(.internalFault, "cannot wait for the command") {
      unsafe Int(linux_wait(process, &code, &signal))
    }
    return signal == 0 ? .exited(code) : .signalled(signal)
  }
}
