internal import VaultCrypto
internal import VaultFault
internal import VaultFrame

/// Opens the part of a body that a range touches: the last chunk first, which proves the length,
/// then the others in order (FORMAT 10).
///
/// What two frames hold waits until a third one, or the end, stands where it must: so of a range of
/// up to 1 MiB no byte is released before all of the slice has been seen.
struct SliceBody: ~Copyable {
  private var message: CobblestoneOpener
  private let range: ByteRange
  private var tail = OpenedData()
  private var touched: TouchedChunks?
  private var next: UInt64 = 0
  private var held: [OpenedData] = []
  private static let mostHeld = 2
  private(set) var dataBytes: UInt64 = 0

  init(_ message: consuming CobblestoneOpener, range: ByteRange) {
    self.message = message
    self.range = range
  }

  /// Opens the last chunk under its number: then the body has ``dataBytes`` bytes.
  mutating func openTail(_ chunk: Span<UInt8>, number: UInt64) throws(Fault) {
    tail.makeRoom(chunk.count)
    try message.open(
      chunk: chunk, number: number, isLast: true, into: &tail.buffer, at: &tail.filled)
    dataBytes = number * UInt64(BodyLayout.chunkBytes) + UInt64(tail.filled)
  }

  /// Says which chunks must come; throws `bad-range`.
  mutating func begin() throws(Fault) {
    let found = TouchedChunks(try range.located(in: dataBytes), dataBytes: dataBytes)
    touched = found
    next = found.chunks.lowerBound
  }

  /// Throws the fault that a frame with this header is here: `frame-order` past the last chunk of the
  /// range, `frame-index`, `frame-length`.
  func check(_ header: FrameHeader) throws(Fault) {
    guard let touched, next < touched.chunks.upperBound else {
      throw Fault(.frameOrder, "a frame of chunks that the range does not touch")
    }
    let wanted = touched.frame(from: next)
    guard header.index == next else {
      throw Fault(
        .frameIndex, "chunk \(next) must come for this range, not chunk \(header.index)")
    }
    guard header.payloadLength == wanted.count * BodyLayout.sealedChunkBytes else {
      throw Fault(
        .frameLength, "a frame does not hold the \(wanted.count) chunks that the range touches")
    }
  }

  /// Takes a frame of chunks; when two are held, the data of the earlier one goes to `write` first.
  mutating func open(
    _ header: FrameHeader, _ payload: Span<UInt8>, _ write: (Span<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    try check(header)
    var data = OpenedData()
    if held.count == SliceBody.mostHeld {
      data = held.removeFirst()
      try write(data.bytes)
    }
    try openChunks(payload, into: &data)
    if let touched { data.trim(to: touched.data, first: header.index) }
    held.append(data)
  }

  /// The end has come: hands on what was held, then what of the range is in the tail.
  /// Throws `frame-order` when chunks are missing.
  mutating func finish(_ write: (Span<UInt8>) throws(Fault) -> Void) throws(Fault) {
    guard let touched, next == touched.chunks.upperBound else {
      throw Fault(.frameOrder, "the slice ends before the last chunk that the range touches")
    }
    for data in held { try write(data.bytes) }
    guard touched.touchesTail else { return }
    tail.trim(to: touched.data, first: touched.tail)
    if !tail.bytes.isEmpty { try write(tail.bytes) }
  }

  private mutating func openChunks(
    _ payload: Span<UInt8>, into data: inout OpenedData
  ) throws(Fault) {
    data.makeRoom(payload.count)
    var from = 0
    while from < payload.count {
      let end = from + BodyLayout.sealedChunkBytes
      try message.open(
        chunk: payload.extracting(from..<end), number: next, isLast: false, into: &data.buffer,
        at: &data.filled)
      from = end
      next += 1
    }
  }
}

extension OpenedData {
  /// Keeps of the data that begins with chunk `first` what is in `range`.
  fileprivate mutating func trim(to range: Range<UInt64>, first: UInt64) {
    let start = first * UInt64(BodyLayout.chunkBytes)
    let kept = range.clamped(to: start..<start + UInt64(filled))
    from = Int(kept.lowerBound - start)
    filled = Int(kept.upperBound - start)
  }
}
