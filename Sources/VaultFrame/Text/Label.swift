public import VaultFault
internal import VaultText

/// What is known of an item's origin: it travels in the label and then in the manifest.
public struct Origin: Equatable, Sendable {
  /// The ETag of the source, as the store gave it; no zero byte in it, as in all texts here.
  public var etag: String?
  /// The version of the source, as the store gave it.
  public var version: String?
  /// The size of the source in bytes.
  public var bytes: UInt64?

  /// Nothing known yet.
  public init(etag: String? = nil, version: String? = nil, bytes: UInt64? = nil) {
    self.etag = etag
    self.version = version
    self.bytes = bytes
  }
}

/// The private description of the data (FORMAT 5.1, 9): in the clear only when disclosed.
public struct Description: Equatable, Sendable {
  /// A file name, any bytes.
  public var name: [UInt8]?
  /// A media type.
  public var mediaType: String?
  /// True when the data is not the original's own bytes but an optimised form of it.
  public var isOptimized = false
  /// The time, as ``TextTime`` writes it.
  public var time: String?
  /// Lines whose names begin with `x-`, name included, fields as they are written.
  public var extra: [[String]] = []

  /// Nothing known yet.
  public init() {}
}

/// The payload of a label frame (FORMAT 5.1).
public struct Label: Equatable, Sendable {
  /// The item.
  public var item: ItemID
  /// Where the caller wants it, a name below the destination.
  public var target: [UInt8]?
  /// The caller's row, its own bytes.
  public var row: [UInt8]?
  /// How many data bytes must come.
  public var bytes: UInt64?
  /// The SHA3-256 of the data that must come.
  public var sha3: [UInt8]?
  /// Where the data was read, without secrets.
  public var source: String?
  /// ETag, version and size of the source.
  public var origin = Origin()
  /// Name, media type and the like.
  public var description = Description()
  /// Digests that the sealer was told to disclose.
  public var digests: [NamedDigest] = []
  /// The envelope with slots, when the object's own is detached.
  public var envelope: [UInt8]?

  /// The most bytes of a row.
  public static let maxRowBytes = 262_144
  /// The most bytes of any other text in a label.
  public static let maxTextBytes = TextField.maxBytes

  private static let header = "vault-label/1"

  /// A label that names the item only.
  public init(item: ItemID) { self.item = item }

  /// Reads a payload; throws `bad-text`.
  public init(parsing payload: Span<UInt8>) throws(Fault) {
    var lines = try TextLines(payload, header: Label.header, fault: .badText)
    guard let item = lines.takeItem("item") else { throw lines.malformed("the label's item") }
    self.item = item
    target = lines.takeText("target")
    row = lines.takeText("row", limit: Label.maxRowBytes)
    bytes = lines.takeNumber("bytes")
    sha3 = lines.takeHex("sha3-256", count: 32)
    source = lines.takeString("source")
    origin = Origin(lines: &lines)
    description = Description(nameLines: &lines)
    description.time = lines.takeTime("time")
    digests = NamedDigest.list(lines.takeAll("digest"))
    envelope = lines.takeText("envelope")
    description.extra = lines.takeExtra()
    try lines.finish("the label", rewritten: self.payload)
  }

  /// The payload; the caller keeps it within the frame's limit of 1 MiB.
  public var payload: [UInt8] {
    var writer = TextWriter(header: Label.header)
    writer.line("item", item.text)
    writer.text("target", target)
    writer.text("row", row)
    writer.number("bytes", bytes)
    if let sha3 { writer.line("sha3-256", hex(sha3)) }
    writer.text("source", source)
    origin.write(to: &writer)
    description.writeName(to: &writer)
    if let time = description.time { writer.line("time", time) }
    for digest in digests { writer.line("digest", digest.algorithm, hex(digest.value)) }
    writer.text("envelope", envelope)
    for line in description.extra { writer.line(fields: line) }
    return writer.bytes
  }
}

extension Origin {
  init(lines: inout TextLines) {
    etag = lines.takeString("source-etag")
    version = lines.takeString("source-version")
    bytes = lines.takeNumber("source-bytes")
  }

  func write(to writer: inout TextWriter) {
    writer.text("source-etag", etag)
    writer.text("source-version", version)
    writer.number("source-bytes", bytes)
  }
}

extension Description {
  init(nameLines lines: inout TextLines) {
    name = lines.takeText("name")
    mediaType = lines.takeString("media-type")
    isOptimized = lines.take("optimized") == ["true"]
  }

  func writeName(to writer: inout TextWriter) {
    writer.text("name", name)
    writer.text("media-type", mediaType)
    if isOptimized { writer.line("optimized", "true") }
  }
}

extension TextLines {
  /// Takes a line with one time.
  mutating func takeTime(_ name: String) -> String? {
    take(name).flatMap { $0.count == 1 && TextTime.seconds($0[0]) != nil ? $0[0] : nil }
  }
}
