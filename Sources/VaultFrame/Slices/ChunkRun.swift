internal import VaultFault

/// The touched chunks on their way from the object into the frames of a slice: checks the headers
/// between them and holds one frame at most.
struct ChunkRun: ~Copyable {
  private let touched: TouchedChunks
  private let dataBytes: UInt64
  private var frame: [UInt8]
  private var filled = 0
  private var header: [UInt8] = []
  private var next: UInt64

  init(_ touched: TouchedChunks, dataBytes: UInt64) {
    self.touched = touched
    self.dataBytes = dataBytes
    next = touched.chunks.lowerBound
    frame = [UInt8](
      uninitializedCount: min(touched.chunks.count, BodyLayout.chunksPerFrame)
        * BodyLayout.sealedChunkBytes)
  }

  /// True when all frames have been written.
  var isDone: Bool { next == touched.chunks.upperBound }

  /// Takes the next bytes of the object, and writes each frame that they complete.
  mutating func push<Sink: FrameSink & ~Copyable>(
    _ bytes: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    var from = 0
    while from < bytes.count {
      let needed = missing
      let count = min(needed, bytes.count - from)
      let piece = bytes.extracting(from..<from + count)
      from += count
      if awaitsHeader {
        header += piece.copied()
        if count == needed { try checkHeader() }
      } else {
        frame.replace(at: filled, with: piece)
        filled += count
        if count == needed { try flush(to: &writer) }
      }
    }
  }

  private var awaitsHeader: Bool {
    BodyLayout.beginsLaterFrame(next) && filled == 0 && header.count < FrameHeader.length
  }

  private var missing: Int {
    if awaitsHeader { return FrameHeader.length - header.count }
    return touched.frame(from: next).count * BodyLayout.sealedChunkBytes - filled
  }

  private func checkHeader() throws(Fault) {
    try FrameHeader(parsing: header.span).require(
      BodyLayout.header(ofFrameWith: next, dataBytes: dataBytes))
  }

  private mutating func flush<Sink: FrameSink & ~Copyable>(
    to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    try writer.frame(.chunks, index: next, frame.span.extracting(0..<filled))
    next += UInt64(touched.frame(from: next).count)
    filled = 0
    header = []
  }
}

extension FrameHeader {
  /// Throws the fault that this header is where `wanted` must stand: `frame-order`, `frame-index`
  /// or `frame-length`.
  func require(_ wanted: FrameHeader) throws(Fault) {
    if self == wanted { return }
    let name = "the frame of chunk \(wanted.index)"
    guard type == wanted.type else {
      throw Fault(.frameOrder, "\(name) does not stand where the layout of an object has it")
    }
    guard index == wanted.index else { throw Fault(.frameIndex, "\(name) has index \(index)") }
    throw Fault(.frameLength, "\(name) has \(payloadLength) bytes, not \(wanted.payloadLength)")
  }
}
