/// Every fault the suite can name: the names of receipts, verdicts and abort frames.
///
/// A name never changes its meaning and is never used again for another.
public enum FaultKind: String, CaseIterable, Sendable {
  // A comparison of sums.
  case mismatch = "mismatch"

  // The command line.
  case usage = "usage"

  // The stream (docs/FORMAT.md, clauses 2 to 5).
  case notAStream = "not-a-stream"
  case textDamage = "text-damage"
  case unsupportedVersion = "unsupported-version"
  case unknownKind = "unknown-kind"
  case wrongKind = "wrong-kind"
  case unknownFrame = "unknown-frame"
  case badFlags = "bad-flags"
  case badReserved = "bad-reserved"
  case frameTooLong = "frame-too-long"
  case frameLength = "frame-length"
  case frameOrder = "frame-order"
  case frameIndex = "frame-index"
  case endMismatch = "end-mismatch"
  case trailingBytes = "trailing-bytes"
  case badText = "bad-text"
  case partMismatch = "part-mismatch"

  // The sealed item (docs/FORMAT.md, clauses 6 to 9).
  case envelopeMalformed = "envelope-malformed"
  case envelopeDamaged = "envelope-damaged"
  case envelopeForged = "envelope-forged"
  case slotDamaged = "slot-damaged"
  case bodyMismatch = "body-mismatch"
  case bodyDamaged = "body-damaged"
  case manifestDamaged = "manifest-damaged"
  case manifestMalformed = "manifest-malformed"
  case digestMismatch = "digest-mismatch"
  case sizeMismatch = "size-mismatch"
  case otherObject = "other-object"
  case judgedTwice = "judged-twice"
  case badRange = "bad-range"

  // The space file (docs/FORMAT.md, clause 13).
  case spaceMalformed = "space-malformed"
  case spaceDamaged = "space-damaged"
  case spaceForged = "space-forged"

  // What the caller asked of the input.
  case tooLarge = "too-large"
  case emptyRefused = "empty-refused"
  case notSealed = "not-sealed"
  case badRow = "bad-row"
  case badReceipt = "bad-receipt"
  case badSums = "bad-sums"
  case fileChanged = "file-changed"

  // The input ended early.
  case nothingJudged = "nothing-judged"
  case incomplete = "incomplete"
  case aborted = "aborted"
  case commandFailed = "command-failed"

  // The remote.
  case remoteRefused = "remote-refused"
  case missingObject = "missing-object"
  case objectChanged = "object-changed"
  case storageFull = "storage-full"
  case wrongRegion = "wrong-region"
  case remoteFailed = "remote-failed"
  case remoteTimeout = "remote-timeout"
  case remoteUnknown = "remote-unknown"
  case remoteDenied = "remote-denied"

  // This machine.
  case internalFault = "internal"
  case exists = "exists"
  case cannotCreate = "cannot-create"
  case badTarget = "bad-target"
  case readFailed = "read-failed"
  case writeFailed = "write-failed"
  case cancelled = "cancelled"
  case otherChange = "other-change"
  case noResources = "no-resources"

  // Keys and configuration.
  case noKey = "no-key"
  case wrongPassword = "wrong-password"
  case badKeyFile = "bad-key-file"
  case badRecipient = "bad-recipient"
  case noCredentials = "no-credentials"
  case badConfiguration = "bad-configuration"
  case missingProtection = "missing-protection"

  /// The exit status of a tool that ends with this fault.
  public var status: ExitStatus {
    switch self {
    case .mismatch: .mismatch
    case .usage: .usage
    case .notAStream, .textDamage, .unsupportedVersion, .unknownKind, .wrongKind, .unknownFrame,
      .badFlags, .badReserved, .frameTooLong, .frameLength, .frameOrder, .frameIndex,
      .endMismatch, .trailingBytes, .badText, .partMismatch:
      .badInput
    case .envelopeMalformed, .envelopeDamaged, .envelopeForged, .slotDamaged, .bodyMismatch,
      .bodyDamaged, .manifestDamaged, .manifestMalformed, .digestMismatch, .sizeMismatch,
      .otherObject, .judgedTwice, .badRange, .spaceMalformed, .spaceDamaged, .spaceForged:
      .badInput
    case .tooLarge, .emptyRefused, .notSealed, .badRow, .badReceipt, .badSums, .fileChanged:
      .badInput
    case .incomplete, .aborted, .commandFailed, .nothingJudged: .incomplete
    case .remoteRefused, .missingObject, .objectChanged, .storageFull, .wrongRegion: .refused
    case .remoteFailed, .remoteTimeout, .remoteUnknown: .tryAgain
    case .noKey, .wrongPassword, .remoteDenied: .denied
    case .internalFault: .internalFault
    case .exists, .cannotCreate, .badTarget: .cannotCreate
    case .readFailed, .writeFailed: .localIO
    case .otherChange, .noResources: .tryAgain
    case .cancelled: .signal(15)
    case .badKeyFile, .badRecipient, .noCredentials, .badConfiguration, .missingProtection:
      .configuration
    }
  }
}
