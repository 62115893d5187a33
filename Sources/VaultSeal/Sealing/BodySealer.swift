internal import VaultCrypto
internal import VaultFault
internal import VaultFrame

/// Seals the data of one item into frames of 64 chunks (FORMAT 7).
struct BodySealer: ~Copyable {
  private static let dataPerFrame = BodyLayout.chunksPerFrame * BodyLayout.chunkBytes

  /// The item's data key.
  let key: DataKey
  /// Salt and commitment.
  let id: BodyID

  private var message: CobblestoneSealer
  private var buffer = [UInt8](
    uninitializedCount: BodyLayout.headBytes + BodyLayout.fullFrameBytes)
  private var filled: Int
  private var dataInFrame = 0
  private var dataBytes: UInt64 = 0

  /// Takes a data key that was made for this item and has sealed nothing.
  init(item: ItemID, key: DataKey) throws(Fault) {
    let message = try key.message(context: DataKey.bodyContext, item)
    let head = message.head
    guard let id = BodyID(head: head) else {
      throw Fault(.internalFault, "the head of a body does not have 56 bytes")
    }
    buffer.replace(at: 0, with: head.span)
    filled = head.count
    self.key = key
    self.id = id
    self.message = message
  }

  /// Encrypts straight from the input's memory into the frame that is being filled.
  mutating func push<Sink: FrameSink & ~Copyable>(
    _ data: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    var from = 0
    while from < data.count {
      let count = min(data.count - from, BodySealer.dataPerFrame - dataInFrame)
      try message.push(data.extracting(from..<from + count), into: &buffer, at: &filled)
      from += count
      dataInFrame += count
      if dataInFrame == BodySealer.dataPerFrame { try flush(to: &writer) }
    }
    dataBytes += UInt64(data.count)
  }

  /// Writes the last frame, which ends with the short last chunk.
  consuming func finish<Sink: FrameSink & ~Copyable>(
    to writer: inout StreamWriter<Sink>
  ) throws(Fault) -> SealedBody {
    try message.finish(into: &buffer, at: &filled)
    try flush(to: &writer)
    return SealedBody(id: id, key: key, dataBytes: dataBytes)
  }

  private mutating func flush<Sink: FrameSink & ~Copyable>(
    to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    try writer.frame(.chunks, buffer.span.extracting(0..<filled))
    filled = 0
    dataInFrame = 0
  }
}

/// A body that has been sealed to its end.
struct SealedBody {
  let id: BodyID
  let key: DataKey
  let dataBytes: UInt64
}
