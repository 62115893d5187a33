public import VaultFault
internal import VaultText

/// The private facts of an item, sealed with it (FORMAT 9).
public struct Manifest: Equatable, Sendable {
  /// The most bytes that a manifest's text may have.
  public static let maxBytes = BodyLayout.chunkBytes - 1

  /// The commitment of the body that this manifest belongs to, 32 bytes.
  public var body: [UInt8]
  /// Data bytes.
  public var size: UInt64
  /// The digests of the data, one or more, each algorithm once.
  public var digests: [NamedDigest]
  /// Name, media type, time, `x-` lines.
  public var description: Description
  /// ETag, version and size of the source.
  public var origin: Origin

  private static let header = "vault-manifest/1"

  /// Takes all of it.
  public init(
    body: [UInt8], size: UInt64, digests: [NamedDigest], description: Description, origin: Origin
  ) {
    self.body = body
    self.size = size
    self.digests = digests
    self.description = description
    self.origin = origin
  }

  /// Reads a manifest's text; throws `manifest-malformed`.
  public init(parsing bytes: Span<UInt8>) throws(Fault) {
    var lines = try TextLines(bytes, header: Manifest.header, fault: .manifestMalformed)
    guard let body = lines.takeBase64("body", counts: [32]), let size = lines.takeNumber("size")
    else { throw lines.malformed("the manifest") }
    let digests = NamedDigest.list(lines.takeAll("digest"))
    guard !digests.isEmpty else { throw lines.malformed("the manifest's digest") }
    var description = Description(nameLines: &lines)
    description.time = lines.takeTime("time")
    let origin = Origin(lines: &lines)
    description.extra = lines.takeExtra()
    self.init(
      body: body[0], size: size, digests: digests, description: description, origin: origin)
    try lines.finish("the manifest", rewritten: text)
  }

  /// The text; the caller refuses one of more than ``maxBytes``.
  public var payload: [UInt8] { Array(text.utf8) }

  private var text: String {
    var writer = TextWriter(header: Manifest.header)
    writer.line("body", Base64.encode(body))
    writer.number("size", size)
    for digest in digests { writer.line("digest", digest.algorithm, hex(digest.value)) }
    description.writeName(to: &writer)
    if let time = description.time { writer.line("time", time) }
    origin.write(to: &writer)
    for line in description.extra { writer.line(fields: line) }
    return writer.text
  }
}
