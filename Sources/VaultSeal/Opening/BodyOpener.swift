internal import VaultCrypto
internal import VaultFault
internal import VaultFrame

/// Opens the chunks of one body, frame after frame (FORMAT 7).
struct BodyOpener: ~Copyable {
  private var message: CobblestoneOpener
  private var digests: DataDigests
  private(set) var dataBytes: UInt64 = 0
  private(set) var chunks: UInt64 = 0

  /// Takes the payload of the first frame, which begins with the head.
  init(_ envelope: Envelope, head payload: Span<UInt8>, with key: DataKey) throws(Fault) {
    let head = payload.extracting(0..<BodyLayout.headBytes)
    let message = try key.message(context: "vault/1 body", envelope.item, head: head)
    let digests = try DataDigests()
    self.message = message
    self.digests = digests
  }

  /// Opens the chunks of a frame in order. When one is not authentic, those before it are in `data`,
  /// and the fault is returned.
  mutating func open(
    _ header: FrameHeader, _ payload: Span<UInt8>, into data: inout OpenedData
  ) throws(Fault) -> Fault? {
    let failure = openChunks(header, payload, &data)
    dataBytes += UInt64(data.filled)
    try digests.update(data.bytes)
    return failure
  }

  /// The digests of all data.
  consuming func finish() throws(Fault) -> [NamedDigest] { try digests.finish() }

  private mutating func openChunks(
    _ header: FrameHeader, _ payload: Span<UInt8>, _ data: inout OpenedData
  ) -> Fault? {
    var from = header.index == 0 ? BodyLayout.headBytes : 0
    chunks = header.index
    data.makeRoom(payload.count)
    while from < payload.count {
      let length = min(BodyLayout.sealedChunkBytes, payload.count - from)
      do throws(Fault) {
        try message.open(
          chunk: payload.extracting(from..<from + length), number: chunks,
          isLast: length < BodyLayout.sealedChunkBytes, into: &data.buffer, at: &data.filled)
      } catch { return error }
      from += length
      chunks += 1
    }
    return nil
  }
}

/// Data that is authenticated and waits to be written: that of one frame.
struct OpenedData {
  fileprivate var buffer: [UInt8] = []
  fileprivate(set) var filled = 0

  /// The data.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { buffer.span.extracting(0..<filled) }
  }

  /// Nothing waits any more.
  mutating func clear() { filled = 0 }

  fileprivate mutating func makeRoom(_ bytes: Int) {
    filled = 0
    if buffer.count < bytes { buffer = [UInt8](uninitializedCount: bytes) }
  }
}

extension Envelope {
  /// Throws `body-mismatch` unless the first frame of the body begins with the head that this
  /// envelope names (FORMAT 6).
  func requireHead(of payload: Span<UInt8>) throws(Fault) {
    guard payload.count >= BodyLayout.headBytes,
      body.head == payload.extracting(0..<BodyLayout.headBytes).copied()
    else { throw Fault(.bodyMismatch, "the body is not the one that the envelope names") }
  }
}
