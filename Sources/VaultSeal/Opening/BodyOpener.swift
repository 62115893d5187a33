internal import VaultCrypto
internal import VaultFault
internal import VaultFrame

/// Opens the chunks of one body, frame after frame (FORMAT 7).
struct BodyOpener: ~Copyable {
  private var message: CobblestoneOpener
  private var digests: DataDigests
  private(set) var dataBytes: UInt64 = 0
  private(set) var chunks: UInt64 = 0

  init(_ message: consuming CobblestoneOpener, taking wanted: Set<DataDigest>) throws(Fault) {
    let digests = try DataDigests(wanted)
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

  /// The digests of all data that were taken.
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
  var buffer: [UInt8] = []
  /// Where the data begins and ends in the buffer.
  var from = 0
  var filled = 0

  /// The data.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { buffer.span.extracting(from..<filled) }
  }

  /// Nothing waits any more.
  mutating func clear() { (from, filled) = (0, 0) }

  /// Forgets what waits, and makes room for so many bytes.
  mutating func makeRoom(_ bytes: Int) {
    clear()
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
