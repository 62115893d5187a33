/// Something that went wrong, in the words a person reads and with the name a program compares.
///
/// Faults are compared by ``kind``; the reason may improve from one version to the next.
/// A reason holds no secret and no user text that was not passed through ``quoted(_:)``.
public struct Fault: Error, Sendable {
  /// What went wrong, from a closed list.
  public let kind: FaultKind
  /// One line of fact: lower case, no full stop, the system's reason last.
  public let reason: String
  /// One line of remedy, where it helps.
  public let hint: String?
  /// The stage that failed first, when the fault came down the pipe in an abort frame.
  public let origin: AbortOrigin?
  /// The signal that ends this process, for ``FaultKind/cancelled``.
  public let signal: Int32?

  /// A fault of this process.
  public init(_ kind: FaultKind, _ reason: String, hint: String? = nil, signal: Int32? = nil) {
    self.kind = kind
    self.reason = reason
    self.hint = hint
    self.origin = nil
    self.signal = signal
  }

  /// A fault that an earlier stage reported (FORMAT, abort frame).
  public init(abortedBy origin: AbortOrigin) {
    self.kind = .aborted
    // Of a row that is no good, the line is all that tells which one it is.
    let line = origin.name == "bad-row" ? origin.numbers.first.map { ", line \($0)" } ?? "" : ""
    self.reason = "\(origin.stage) gave up: \(origin.name) (exit \(origin.exit))\(line)"
    self.hint = nil
    self.origin = origin
    self.signal = nil
  }

  /// The exit status of the process if this is its first fault.
  public var status: ExitStatus {
    if let signal { return .signal(signal) }
    return kind.status
  }
}

/// The first cause of an abort, as an abort frame carries it.
public struct AbortOrigin: Equatable, Sendable {
  /// The tool that failed, `vault-hash` for example.
  public let stage: String
  /// The exit code of that tool.
  public let exit: UInt8
  /// The name of the fault there, a ``FaultKind`` of some version.
  public let name: String
  /// Numbers that explain it (a part, an offset, a status), in order.
  public let numbers: [UInt64]

  /// Takes the fields as they stand in the frame.
  public init(stage: String, exit: UInt8, name: String, numbers: [UInt64] = []) {
    self.stage = stage
    self.exit = exit
    self.name = name
    self.numbers = numbers
  }
}
