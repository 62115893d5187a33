internal import VaultDigest
public import VaultFault
public import VaultFrame

/// Cuts a sealed item into the parts of an upload: a stage of `vault-chunk` (FORMAT 5.3, 5.4).
///
/// It takes the SHA-256 of the object on the way, which it says at the end of each part, and looks at
/// nothing that needs a key.
public struct PartCutter: ItemStage, ~Copyable {
  /// A parts stream comes out.
  public static var output: StreamKind { .parts }
  private static let dataBytes = 1 << 20
  // What is shorter waits for more.
  private static let worthAFrame = 1 << 16

  private let options: PartOptions
  private var plan: PartPlan?
  private var buffer = [UInt8](uninitializedCount: dataBytes)
  private var filled = 0
  private var part = OpenPart()
  private var digest: Digest
  // Of the object up to the end of the last part.
  private var sha256: [UInt8] = []
  private var objectBytes: UInt64 = 0
  private var body = ChunkCount()
  private var envelope: Envelope?
  private var label: Label?
  private var disclosed: Label?

  /// A cutter for one item.
  public init(_ options: PartOptions) throws(Fault) {
    digest = try Digest(.sha256)
    self.options = options
  }

  /// Takes one frame of a sealed item.
  public mutating func frame<Sink: FrameSink & ~Copyable>(
    _ header: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    if header.type == .label { return try take(Label(parsing: payload), payload, to: &writer) }
    if objectBytes == 0 { try put(Prologue.bytes(.sealed).span, to: &writer) }
    if header.type == .envelope { try take(Envelope(parsing: payload)) }
    if header.type == .chunks { body.add(payload.count) }
    try put(header.bytes.span, to: &writer)
    try put(payload, to: &writer)
  }

  /// Cuts the end frame too, then writes the last part and the summary.
  public consuming func finish<Sink: FrameSink & ~Copyable>(
    _ end: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    try put(end.bytes.span, to: &writer)
    try put(payload, to: &writer)
    try flush(to: &writer)
    if part.bytes > 0 { try endPart(to: &writer) }
    guard let envelope else { throw Fault(.internalFault, "an item without an envelope") }
    var summary = Summary(
      item: envelope.item, objectBytes: objectBytes, dataBytes: body.dataBytes,
      chunks: body.chunks, sha256: sha256, body: envelope.body,
      envelope: label?.envelope ?? envelope.payload)
    if let disclosed {
      summary.description = disclosed.description
      summary.digests = disclosed.digests
    }
    let bytes = summary.payload
    guard bytes.count <= FrameType.summary.limit else {
      throw Fault(.tooLarge, "what is disclosed of the item does not fit into a summary")
    }
    try writer.frame(.summary, bytes.span)
  }

  // The first label goes ahead of the parts; the second one has what the sealer disclosed.
  private mutating func take<Sink: FrameSink & ~Copyable>(
    _ found: Label, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    guard let envelope else {
      label = found
      return try writer.frame(.label, payload)
    }
    guard found.item == envelope.item, found.envelope == nil else {
      throw Fault(.badText, "the last label is not one of this item")
    }
    disclosed = found
  }

  private mutating func take(_ found: Envelope) throws(Fault) {
    guard label?.item ?? found.item == found.item else {
      throw Fault(.badText, "the label names another item than the envelope")
    }
    envelope = found
  }

  private mutating func put<Sink: FrameSink & ~Copyable>(
    _ bytes: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    var from = 0
    while from < bytes.count {
      let room = UInt64(PartCutter.dataBytes - filled)
      let wanted = min(UInt64(bytes.count - from), room, try partSize() - part.bytes)
      let piece = bytes.extracting(from..<from + Int(wanted))
      try digest.update(piece)
      part.bytes += wanted
      from += piece.count
      objectBytes += wanted
      try pass(piece, to: &writer)
      if part.bytes == (try partSize()) { try endPart(to: &writer) }
    }
  }

  // A long piece goes out from where it lies, behind the short ones that wait.
  private mutating func pass<Sink: FrameSink & ~Copyable>(
    _ piece: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    if piece.count >= PartCutter.worthAFrame {
      try writer.data(buffer.span.extracting(0..<filled), then: piece)
      filled = 0
    } else {
      buffer.replace(at: filled, with: piece)
      filled += piece.count
      if filled == PartCutter.dataBytes { try flush(to: &writer) }
    }
  }

  private mutating func partSize() throws(Fault) -> UInt64 {
    if let plan { return try plan.size(ofPart: part.number) }
    let made = try options.plan(label: label)
    plan = made
    return try made.size(ofPart: part.number)
  }

  private mutating func flush<Sink: FrameSink & ~Copyable>(
    to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    guard filled > 0 else { return }
    try writer.frame(.data, buffer.span.extracting(0..<filled))
    filled = 0
  }

  private mutating func endPart<Sink: FrameSink & ~Copyable>(
    to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    try flush(to: &writer)
    sha256 = try digest.copy().finish()
    let payload = part.end(sha256)
    try writer.frame(.part, payload.span)
  }
}

/// What the caller of `vault-chunk` says of the parts.
public struct PartOptions: Sendable {
  private let expectedBytes: UInt64?
  private let partSize: UInt64?
  private let maxParts: UInt64

  /// Takes the values of `--expect-bytes`, `--part-size` and `--max-parts`; throws as ``PartPlan``.
  public init(
    expectedBytes: UInt64? = nil, partSize: UInt64? = nil,
    maxParts: UInt64 = PartPlan.mostParts
  ) throws(Fault) {
    self.expectedBytes = expectedBytes
    self.partSize = partSize
    self.maxParts = maxParts
    _ = try PartPlan(expectedBytes: expectedBytes, partSize: partSize, maxParts: maxParts)
  }

  func plan(label: Label?) throws(Fault) -> PartPlan {
    try PartPlan(
      expectedBytes: expectedBytes ?? label?.bytes, partSize: partSize, maxParts: maxParts)
  }
}

/// The part that is being filled.
private struct OpenPart {
  private(set) var number: UInt64 = 1
  var bytes: UInt64 = 0

  /// The payload of the part's frame; the next part begins.
  mutating func end(_ sha256: [UInt8]) -> [UInt8] {
    let payload =
      bigEndian(number, bytes: 4) + [0, 0, 0, 0] + bigEndian(bytes, bytes: 8) + sha256
    number += 1
    bytes = 0
    return payload
  }
}

/// Chunks and data bytes, counted from the lengths of frames that the grammar has checked.
private struct ChunkCount {
  private(set) var chunks: UInt64 = 0
  private var sealedBytes: UInt64 = 0

  var dataBytes: UInt64 { sealedBytes - 16 * chunks }

  mutating func add(_ payloadBytes: Int) {
    let head = sealedBytes == 0 ? BodyLayout.headBytes : 0
    let sealed = UInt64(payloadBytes - head)
    sealedBytes += sealed
    let size = UInt64(BodyLayout.sealedChunkBytes)
    chunks += (sealed + size - 1) / size
  }
}
