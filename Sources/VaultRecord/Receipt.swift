/// What `vault-put` says of one item, after it is so: one JSON line (docs/DESIGN.md, the receipt).
///
/// Members stand in the order of the properties; one that is nil is left out.
public struct Receipt: Equatable, Sendable {
  /// How an item ended.
  public enum Status: String, CaseIterable, Sendable {
    /// The object is there, whole, and ours.
    case stored
    /// The name was taken before; nothing was changed.
    case exists
    /// Nothing was stored.
    case failed
    /// The input ended before the item's end, or an earlier stage gave up; nothing was stored.
    case incomplete
    /// A signal ended it; nothing was stored.
    case cancelled
    /// It may be stored or not: the remote did not say, and nothing was deleted.
    case unknown
  }

  /// How a stored object was proven.
  public enum Evidence: String, CaseIterable, Sendable {
    /// It was looked at afterwards: our token, our size.
    case head
    /// The answer to the request was clear, and looking is not allowed.
    case response
  }

  /// The item's id; nil when the item failed before it was known.
  public var item: String?
  /// How it ended.
  public var status: Status
  /// Where: `s3://bucket/key`, or a path.
  public var object: String?
  /// Bytes of the object.
  public var objectBytes: UInt64?
  /// Bytes of the original.
  public var dataBytes: UInt64?
  /// How many parts it was stored in.
  public var parts: UInt64?
  /// SHA-256 of the whole object, hex.
  public var sha256: String?
  /// SHA-256 over the parts' SHA-256, base64, `-`, number of parts: what S3 calls composite.
  public var partsSHA256: String?
  /// Salt and commitment of the body, as the envelope's line has them.
  public var body: String?
  /// The envelope with its slots.
  public var envelope: String?
  /// Only with `--disclose name`.
  public var name: String?
  /// Only with `--disclose media-type`.
  public var mediaType: String?
  /// Only with `--disclose digest`, hex.
  public var sha3: String?
  /// Only with `--disclose digest`: SHA-256 of the data, hex, where that was taken.
  public var dataSHA256: String?
  /// The remote's tag, opaque.
  public var etag: String?
  /// The remote's version.
  public var versionID: String?
  /// The token of this attempt, hex.
  public var token: String?
  /// How it was proven.
  public var proof: Evidence?
  /// How "not overwriting" was kept: `conditional` or `checked`.
  public var create: String?
  /// When the proof was there: `YYYY-MM-DDTHH:MM:SSZ`.
  public var storedAt: String?
  /// True when `--sweep` found it after a crash.
  public var recovered: Bool?
  /// The caller's row, its own bytes without the private members.
  public var row: [UInt8]?
  /// Why it is not stored.
  public var error: RecordError?
  /// Members that this version does not know, raw, in order; written back last.
  public var more: [More] = []

  /// A member kept as it was.
  public struct More: Equatable, Sendable {
    /// The name, unescaped.
    public let name: String
    /// The value's own bytes.
    public let raw: [UInt8]
  }

  /// A receipt with a status and nothing else yet.
  public init(_ status: Status, item: String? = nil) {
    self.status = status
    self.item = item
  }

  /// Names that later versions will use, and that nobody else may: they are kept as ``more``.
  public static let reserved = [
    "evidence", "sig", "lock_mode", "retain_until", "optimized", "document_id", "space",
  ]
}

/// A failure as receipts and verdicts carry it: the first cause.
public struct RecordError: Equatable, Sendable {
  /// The tool that failed first.
  public let stage: String
  /// Its exit code.
  public let code: UInt64
  /// The fault's name, from the closed list of the format.
  public let name: String
  /// One line for people.
  public let message: String

  /// Takes all four.
  public init(stage: String, code: UInt64, name: String, message: String) {
    self.stage = stage
    self.code = code
    self.name = name
    self.message = message
  }
}
