internal import VaultFault

/// The last bytes of an object at rest: the last chunk, the manifest, and what a later version may
/// have put between it and the end.
struct ObjectTail {
  private let bytes: [UInt8]
  private let lastChunk: Range<Int>
  private let manifest: Range<Int>
  private let extras: [(header: FrameHeader, payload: Range<Int>)]

  /// Reads what begins at the layout's `tailOffset` and goes to the end of the object.
  ///
  /// Throws `frame-order`, `frame-index` or `frame-length` where no such frames are in their places.
  init(parsing bytes: [UInt8], _ layout: ObjectLayout) throws(Fault) {
    let all = bytes.span
    var from = Int(layout.lastChunkOffset - layout.tailOffset)
    if from > 0 { try ObjectTail.checkHeader(all, layout) }
    lastChunk = from..<Int(layout.manifestOffset - layout.tailOffset)
    from = lastChunk.upperBound
    manifest = try all.frame(at: &from, .manifest)
    extras = try ObjectTail.extras(all, from)
    self.bytes = bytes
  }

  /// Writes all that proves the length, and the extras.
  func write<Sink: FrameSink & ~Copyable>(
    _ head: ObjectHead, _ layout: ObjectLayout, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    let last = layout.dataBytes / UInt64(BodyLayout.chunkBytes)
    let tail = head.envelope.body.head + bytes[lastChunk]
    try writer.frame(.envelope, head.envelope.payload.span)
    try writer.frame(.tail, index: last, tail.span)
    try writer.frame(.manifest, bytes.span.extracting(manifest))
    for extra in extras { try writer.frame(extra.header, bytes.span.extracting(extra.payload)) }
  }

  private static func checkHeader(_ all: Span<UInt8>, _ layout: ObjectLayout) throws(Fault) {
    let last = layout.dataBytes / UInt64(BodyLayout.chunkBytes)
    try FrameHeader(parsing: all.extracting(0..<FrameHeader.length)).require(
      BodyLayout.header(ofFrameWith: last, dataBytes: layout.dataBytes))
  }

  private static func extras(
    _ all: Span<UInt8>, _ start: Int
  ) throws(Fault) -> [(header: FrameHeader, payload: Range<Int>)] {
    var extras: [(header: FrameHeader, payload: Range<Int>)] = []
    var from = start
    let end = all.count - ObjectLayout.endBytes
    while from < end {
      let header = try all.header(at: &from)
      guard header.type == nil else {
        throw Fault(.frameOrder, "frame \(header.type?.letter ?? "") stands after the manifest")
      }
      extras.append((header, from..<from + header.payloadLength))
      from += header.payloadLength
    }
    guard from == end else {
      throw Fault(.frameLength, "the frames after the body do not end where the end frame begins")
    }
    return extras
  }
}
