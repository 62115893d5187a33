public import VaultFault

/// One line of the rows that `vault-get --rows` reads.
public enum RowLine: Sendable {
  /// An object to fetch.
  case row(Row)
  /// `{"end":true,"rows":N}`: there were N rows, and none is missing.
  case end(rows: UInt64)

  /// Reads a line, without its line end. A row that is not fetched, since its item has come already,
  /// needs no source.
  ///
  /// - Throws: `bad-row` for a line over 256 KiB, not UTF-8, not an object, with a duplicate, missing
  ///   or wrongly typed member.
  public init(_ line: [UInt8], isFetched: Bool = true) throws(Fault) {
    guard line.count <= Row.maximumBytes else { throw Fault(.badRow, "the row is over 256 KiB") }
    guard String(validating: line, as: UTF8.self) != nil else {
      throw Fault(.badRow, "the row is not UTF-8")
    }
    var fields = try Fields(line, .badRow)
    if try fields.bool("end") == true {
      guard let rows = try fields.natural("rows") else { throw fields.wrong("rows") }
      self = .end(rows: rows)
    } else {
      self = .row(try Row(&fields, isFetched: isFetched))
    }
  }
}

/// What a row says of an object: where it is, and what must come.
///
/// A receipt is a row too. Members that are not listed here belong to the caller and come back.
public struct Row: Sendable {
  /// The longest row, in bytes.
  public static let maximumBytes = 262_144

  /// Where to read: `source`, or else `object`; empty in a row that is not fetched and has neither.
  public let source: String
  /// The member `object`, as receipts have it.
  public let object: String?
  /// The item that must come.
  public let item: String?
  /// Where the caller wants it, below the destination.
  public let target: String?
  /// The file's name; private.
  public let name: String?
  /// The media type; private.
  public let mediaType: String?
  /// Data bytes that must come.
  public let bytes: UInt64?
  /// The same as a receipt has it.
  public let dataBytes: UInt64?
  /// SHA3-256 of the data, hex; private.
  public let sha3: String?
  /// SHA-256 of the data of a sealed object, hex; private.
  public let dataSHA256: String?
  /// The envelope with slots of an object that has none.
  public let envelope: String?
  /// Salt and commitment that must come.
  public let body: String?
  /// Object bytes that must come.
  public let objectBytes: UInt64?
  /// SHA-256 of the whole object, hex.
  public let sha256: String?
  /// How the receipt ended, when the row is one.
  public let status: String?
  /// The row's own bytes, without white space around it.
  public let raw: [UInt8]

  init(_ fields: inout Fields, isFetched: Bool) throws(Fault) {
    raw = Array(fields.text[fields.span])
    let from = try fields.place("source")
    object = try fields.place("object")
    item = try fields.uuid("item")
    target = try fields.text("target")
    name = try fields.place("name")
    mediaType = try fields.place("media_type")
    bytes = try fields.natural("bytes")
    dataBytes = try fields.natural("data_bytes")
    sha3 = try fields.digest("sha3_256")
    dataSHA256 = try fields.digest("data_sha256")
    envelope = try fields.place("envelope")
    body = try fields.place("body")
    objectBytes = try fields.natural("object_bytes")
    sha256 = try fields.digest("sha256")
    status = try fields.string("status")
    guard let source = from ?? object ?? (isFetched ? nil : "") else {
      throw Fault(.badRow, "the row has no source")
    }
    self.source = source
  }
}
