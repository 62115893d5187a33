public import VaultFault
internal import VaultText

/// The payload of a summary frame: what a receipt needs (FORMAT 5.4).
public struct Summary: Equatable, Sendable {
  /// The item, from the object's own envelope.
  public var item: ItemID
  /// Bytes of the whole object.
  public var objectBytes: UInt64
  /// Bytes of the data that is sealed in it.
  public var dataBytes: UInt64
  /// Chunks of the body.
  public var chunks: UInt64
  /// SHA-256 of the whole object.
  public var sha256: [UInt8]
  /// Salt and commitment of the body.
  public var body: BodyID
  /// The envelope with slots.
  public var envelope: [UInt8]
  /// Disclosed: name, media type; `optimized` is public by definition.
  public var description: Description
  /// Disclosed digests of the data.
  public var digests: [NamedDigest]

  private static let header = "vault-summary/1"

  /// Takes all that is counted; what is disclosed is set afterwards.
  public init(
    item: ItemID, objectBytes: UInt64, dataBytes: UInt64, chunks: UInt64, sha256: [UInt8],
    body: BodyID, envelope: [UInt8]
  ) {
    self.item = item
    self.objectBytes = objectBytes
    self.dataBytes = dataBytes
    self.chunks = chunks
    self.sha256 = sha256
    self.body = body
    self.envelope = envelope
    description = Description()
    digests = []
  }

  /// Reads a payload; throws `bad-text`.
  public init(parsing payload: Span<UInt8>) throws(Fault) {
    var lines = try TextLines(payload, header: Summary.header, fault: .badText)
    guard let item = lines.takeItem("item"), let object = lines.takeNumber("object-bytes"),
      let data = lines.takeNumber("data-bytes"), let chunks = lines.takeNumber("chunks"),
      let sha256 = lines.takeHex("sha256", count: 32),
      let body = BodyID(lines: &lines), let envelope = lines.takeText("envelope")
    else { throw lines.malformed("the summary") }
    self.init(
      item: item, objectBytes: object, dataBytes: data, chunks: chunks, sha256: sha256, body: body,
      envelope: envelope)
    description = Description(nameLines: &lines)
    digests = NamedDigest.list(lines.takeAll("digest"))
    try lines.finish("the summary", rewritten: text)
  }

  /// The payload.
  public var payload: [UInt8] { Array(text.utf8) }

  private var text: String {
    var writer = TextWriter(header: Summary.header)
    writer.line("item", item.text)
    writer.number("object-bytes", objectBytes)
    writer.number("data-bytes", dataBytes)
    writer.number("chunks", chunks)
    writer.line("sha256", hex(sha256))
    body.write(to: &writer)
    writer.text("envelope", envelope)
    description.writeName(to: &writer)
    for digest in digests { writer.line("digest", digest.algorithm, hex(digest.value)) }
    return writer.text
  }
}
