/// The chunks of a body that a range of its data touches, and where they lie (FORMAT 7, 10).
public struct TouchedChunks: Equatable, Sendable {
  /// The data bytes of the range.
  public let data: Range<UInt64>
  /// The chunks that the frames of a slice hold: all that are touched but the body's last one.
  public let chunks: Range<UInt64>
  /// The number of the body's last chunk, which a slice has in its tail.
  public let tail: UInt64
  /// True when bytes of the last chunk are in the range.
  public let touchesTail: Bool

  /// The chunks of `data`, which lies within the body's `dataBytes` bytes, below 2^52.
  public init(_ data: Range<UInt64>, dataBytes: UInt64) {
    let size = UInt64(BodyLayout.chunkBytes)
    self.data = data
    tail = dataBytes / size
    guard !data.isEmpty else {
      (chunks, touchesTail) = (0..<0, false)
      return
    }
    let last = (data.upperBound - 1) / size
    chunks = min(data.lowerBound / size, tail)..<min(last + 1, tail)
    touchesTail = last == tail
  }

  /// The chunks of the frame of a slice that begins with `first`: up to the border of the object's
  /// own frame, or to the end of the range.
  public func frame(from first: UInt64) -> Range<UInt64> {
    let perFrame = UInt64(BodyLayout.chunksPerFrame)
    return first..<max(first, min(chunks.upperBound, (first / perFrame + 1) * perFrame))
  }

  /// The bytes of the object at rest that hold ``chunks``, the headers between them included, and
  /// the one before them when the first of them begins a frame after the first.
  public func objectRange(envelopeBytes: UInt64) -> Range<UInt64> {
    guard let last = chunks.last else { return 0..<0 }
    let start = BodyLayout.offset(ofChunk: chunks.lowerBound, envelopeBytes: envelopeBytes)
    let end = BodyLayout.offset(ofChunk: last, envelopeBytes: envelopeBytes)
    let header = BodyLayout.beginsLaterFrame(chunks.lowerBound) ? UInt64(FrameHeader.length) : 0
    return start - header..<end + UInt64(BodyLayout.sealedChunkBytes)
  }
}

extension BodyLayout {
  /// The most chunks that a body may have.
  static let maxChunks: UInt64 = 1 << 38

  /// True when a frame's header stands right before this chunk, and no head of the body between.
  static func beginsLaterFrame(_ chunk: UInt64) -> Bool {
    chunk > 0 && chunk % UInt64(chunksPerFrame) == 0
  }

  /// The header of the object's frame of chunks that holds `chunk`.
  static func header(ofFrameWith chunk: UInt64, dataBytes: UInt64) -> FrameHeader {
    let perFrame = UInt64(chunksPerFrame)
    let index = chunk / perFrame * perFrame
    let tail = dataBytes / UInt64(chunkBytes)
    let body =
      tail - index >= perFrame
      ? fullFrameBytes
      : Int(tail - index) * sealedChunkBytes + Int(dataBytes % UInt64(chunkBytes)) + tagBytes
    return FrameHeader(.chunks, payloadLength: body + (index == 0 ? headBytes : 0), index: index)
  }
}
