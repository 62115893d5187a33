/// The exit status of a tool: one list for the whole suite (docs/DESIGN.md, exit codes).
public struct ExitStatus: RawRepresentable, Equatable, Hashable, Sendable {
  /// The number given to the operating system, 0 to 255.
  public let rawValue: UInt8

  /// Takes any number; the named ones below are the only ones that tools use.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// All done and proven.
  public static let success = ExitStatus(rawValue: 0)
  /// A comparison was made and does not match.
  public static let mismatch = ExitStatus(rawValue: 1)
  /// The command line is wrong.
  public static let usage = ExitStatus(rawValue: 64)
  /// The input is malformed, forged, damaged, or not the expected one.
  public static let badInput = ExitStatus(rawValue: 65)
  /// The input is incomplete: it ended before its end, or an earlier stage aborted.
  public static let incomplete = ExitStatus(rawValue: 66)
  /// The remote refused, and will again.
  public static let refused = ExitStatus(rawValue: 69)
  /// A fault of ours.
  public static let internalFault = ExitStatus(rawValue: 70)
  /// The target exists already, or an output cannot be made.
  public static let cannotCreate = ExitStatus(rawValue: 73)
  /// A local read or write failed.
  public static let localIO = ExitStatus(rawValue: 74)
  /// The remote failed or its answer is unknown, another process was at work, or this machine had no
  /// memory or thread left; a retry may help.
  public static let tryAgain = ExitStatus(rawValue: 75)
  /// No key given opens this, or the remote denies access.
  public static let denied = ExitStatus(rawValue: 77)
  /// Configuration: a key file, credentials, an endpoint, a required protection missing.
  public static let configuration = ExitStatus(rawValue: 78)

  /// Ended by a signal: 128 and the signal's number.
  public static func signal(_ number: Int32) -> ExitStatus {
    ExitStatus(rawValue: UInt8(truncatingIfNeeded: 128 + number))
  }
}

extension ExitStatus {
  // Evidence of harm first, then what is missing, then what kept us from looking.
  private static let byWeight: [ExitStatus] = [
    .success, .mismatch, .usage, .configuration, .tryAgain, .localIO, .refused, .denied,
    .incomplete, .badInput, .internalFault,
  ]

  /// The status that a run ends with of which two parts ended with these.
  public func worse(_ other: ExitStatus) -> ExitStatus {
    let weight = { (status: ExitStatus) in
      ExitStatus.byWeight.firstIndex(of: status) ?? ExitStatus.byWeight.count
    }
    return weight(other) > weight(self) ? other : self
  }
}
