public import VaultFault

/// What the command line needs of the machine, as values, so that tests can stand in for it.
public struct System: Sendable {
  /// Writes all bytes to a descriptor; a fault with the system's reason if it cannot.
  public let write: @Sendable (_ descriptor: Int32, _ bytes: [UInt8]) throws(Fault) -> Void
  /// Writes a message to descriptor 2 with one write(2); whatever happens is ignored.
  public let say: @Sendable (_ bytes: [UInt8]) -> Void
  /// Whether standard error is a terminal.
  public let standardErrorIsTerminal: @Sendable () -> Bool
  /// Whether this process is in the foreground of standard error's terminal.
  public let isInForeground: @Sendable () -> Bool
  /// A clock that never goes back, in nanoseconds.
  public let now: @Sendable () -> UInt64
  /// Ends the process.
  public let exit: @Sendable (ExitStatus) -> Never
  /// Ends the process by a signal, as if it had never been caught.
  public let end: @Sendable (_ signal: Int32) -> Never

  /// A machine of these parts.
  public init(
    write: @escaping @Sendable (Int32, [UInt8]) throws(Fault) -> Void,
    say: @escaping @Sendable ([UInt8]) -> Void,
    standardErrorIsTerminal: @escaping @Sendable () -> Bool,
    isInForeground: @escaping @Sendable () -> Bool, now: @escaping @Sendable () -> UInt64,
    exit: @escaping @Sendable (ExitStatus) -> Never, end: @escaping @Sendable (Int32) -> Never
  ) {
    self.write = write
    self.say = say
    self.standardErrorIsTerminal = standardErrorIsTerminal
    self.isInForeground = isInForeground
    self.now = now
    self.exit = exit
    self.end = end
  }
}
