public import VaultFault

/// A row of `vault-drop`: what may go, and what must stand in its place.
public struct DropRow: Sendable {
  /// The object that may go.
  public let source: String
  /// Its tag when it was read.
  public let sourceETag: String?
  /// Its size when it was read.
  public let sourceBytes: UInt64?
  /// The sealed object that must be there.
  public let object: String?
  /// Its size.
  public let objectBytes: UInt64?
  /// Its tag, where the store gave one.
  public let etag: String?
  /// The item of the sealed object; of the source itself when there is no `object`.
  public let item: String?

  /// Reads a line; nil for the end line, whose count is `rows`.
  ///
  /// - Throws: `bad-row`.
  public static func read(_ line: [UInt8], rows: inout UInt64?) throws(Fault) -> DropRow? {
    var fields = try Fields(line, .badRow)
    if try fields.bool("end") == true {
      guard let count = try fields.natural("rows") else { throw fields.wrong("rows") }
      rows = count
      return nil
    }
    return try DropRow(&fields)
  }

  private init(_ fields: inout Fields) throws(Fault) {
    guard let source = try fields.place("source") else {
      throw Fault(.badRow, "the row has no source")
    }
    self.source = source
    sourceETag = try fields.place("source_etag")
    sourceBytes = try fields.natural("source_bytes")
    object = try fields.place("object")
    objectBytes = try fields.natural("object_bytes")
    etag = try fields.place("etag")
    item = try fields.uuid("item")
  }
}

/// What `vault-drop` says of one row: one JSON line.
public struct DropAnswer: Sendable {
  /// How it ended.
  public enum Status: String, CaseIterable, Sendable {
    /// It is gone by our doing.
    case dropped
    /// All checks hold; nothing was done, since nobody said `--yes`.
    case wouldDrop = "would-drop"
    /// There is nothing under the name.
    case gone
    /// Something does not hold or cannot be told: it was left.
    case kept
    /// It was asked to go, and what became of it cannot be told.
    case unknown
  }

  /// The row's item.
  public var item: String?
  /// The row's source.
  public var source: String?
  /// How it ended.
  public var status: Status
  /// Why: `source-gone`, `source-changed`, `object-gone`, `object-changed`, or a fault's name.
  public var reason: String?
  /// One line for people.
  public var message: String?
  /// Says of which line it is, where there was no row.
  public var line: UInt64?

  /// An answer to a row.
  public init(
    _ status: Status, _ row: DropRow?, reason: String? = nil, message: String? = nil,
    line: UInt64? = nil
  ) {
    item = row?.item
    source = row?.source
    self.status = status
    self.reason = reason
    self.message = message
    self.line = line
  }

  /// The answer as one compact JSON object, without the line end.
  public var text: [UInt8] {
    var json = JSONWriter()
    json.add("drop", "vault/1")
    json.add("item", item)
    json.add("status", status.rawValue)
    json.add("source", source)
    json.add("reason", reason)
    json.add("message", message)
    json.add("line", line)
    return json.finish()
  }
}
