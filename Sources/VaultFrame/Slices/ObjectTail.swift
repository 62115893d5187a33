internal import VaultFault

/// The last bytes of an object at rest: the last chunk, the manifest and the end.
struct ObjectTail {
  private let bytes: [UInt8]
  private let lastChunk: Range<Int>
  private let manifest: Range<Int>

  /// Reads what begins at the layout's `tailOffset` and goes to the end of the object.
  ///
  /// Throws `frame-order`, `frame-index` or `frame-length` where no such frames are in their places,
  /// `end-mismatch` where the manifest does not end where the end frame begins.
  init(parsing bytes: [UInt8], _ layout: ObjectLayout) throws(Fault) {
    let all = bytes.span
    var from = Int(layout.lastChunkOffset - layout.tailOffset)
    if from > 0 { try ObjectTail.checkHeader(all, layout) }
    lastChunk = from..<Int(layout.manifestOffset - layout.tailOffset)
    from = lastChunk.upperBound
    let header = try all.header(at: &from, .manifest)
    manifest = from..<from + header.payloadLength
    guard manifest.upperBound == all.count - ObjectLayout.endBytes else {
      throw ObjectLayout.misfit()
    }
    self.bytes = bytes
  }

  /// Writes all that proves the length.
  func write<Sink: FrameSink & ~Copyable>(
    _ head: ObjectHead, _ layout: ObjectLayout, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    let last = layout.dataBytes / UInt64(BodyLayout.chunkBytes)
    let tail = head.envelope.body.head + bytes[lastChunk]
    try writer.frame(.envelope, head.envelope.payload.span)
    try writer.frame(.tail, index: last, tail.span)
    try writer.frame(.manifest, bytes.span.extracting(manifest))
  }

  private static func checkHeader(_ all: Span<UInt8>, _ layout: ObjectLayout) throws(Fault) {
    let last = layout.dataBytes / UInt64(BodyLayout.chunkBytes)
    try FrameHeader(parsing: all.extracting(0..<FrameHeader.length)).require(
      BodyLayout.header(ofFrameWith: last, dataBytes: layout.dataBytes))
  }
}
