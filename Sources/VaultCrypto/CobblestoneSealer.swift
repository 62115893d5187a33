public import VaultFault

/// Encrypts one message as Cobblestone-256 (C2SP chunked-encryption v1), straight into the caller's
/// buffer: no copy of the plaintext is kept, nothing is allocated for a chunk.
///
/// The message is ``head``, then what ``push(_:into:at:)`` and ``finish(into:at:)`` append: a sealed
/// chunk of 16,400 bytes for every 16,384 of plaintext, and a shorter last one, empty if need be.
/// After a fault the sealer only fails: a nonce is never used for two plaintexts.
public struct CobblestoneSealer: ~Copyable, @unchecked Sendable {
  /// Salt 24 and commitment 32.
  public static let headBytes = Cobblestone.headBytes
  /// Plaintext bytes of a full chunk.
  public static let chunkBytes = Cobblestone.chunkBytes
  /// The same sealed, with its tag of 16 bytes.
  public static let sealedChunkBytes = Cobblestone.sealedChunkBytes
  /// The chunks a message may have, the last one included: 4 PiB.
  public static let maxChunks = Cobblestone.maxChunks

  /// The first 56 bytes of the message: a fresh salt and the commitment to the key.
  public let head: [UInt8]
  /// The number of the chunk that the next byte goes to, or of the last one once finished.
  public private(set) var chunkNumber: UInt64 = 0
  /// The plaintext bytes already in that chunk, 0 to 16,383.
  public private(set) var bytesInChunk = 0

  private let engine: GCM
  private let baseNonce: Secret
  private var state = State.open

  private enum State { case open, finished, failed }

  /// Starts a message under an input key of 32 uniformly random bytes.
  public init(inputKey: Span<UInt8>, context: [UInt8]) throws(Fault) {
    let salt = try Random.bytes(Cobblestone.saltBytes)
    try self.init(inputKey: inputKey, context: context, salt: salt, firstChunk: 0)
  }

  /// The same with a given salt, which must never repeat for a key, and a later first chunk: for
  /// known answers and the limit on chunks only.
  init(
    inputKey: Span<UInt8>, context: [UInt8], salt: [UInt8], firstChunk: UInt64
  ) throws(Fault) {
    let keys = try Cobblestone.Keys(inputKey: inputKey, salt: salt, context: context)
    var head = salt
    head.append(copying: keys.commitment)
    let engine = try keys.engine()
    let baseNonce = try keys.baseNonce()
    self.engine = engine
    self.baseNonce = baseNonce
    self.head = head
    self.chunkNumber = firstChunk
  }

  /// The sealed bytes that pushing so many more plaintext bytes appends.
  public func sealedBytes(pushing count: Int) -> Int {
    count + (bytesInChunk + count) / Cobblestone.chunkBytes * GCM.tagBytes
  }

  /// Encrypts bytes into `out` from `offset` on and moves the offset behind them; a tag follows at
  /// each border of 16 KiB.
  ///
  /// `out` must have room for ``sealedBytes(pushing:)`` bytes, checked before the first is written.
  /// - Throws: ``FaultKind/tooLarge`` past ``maxChunks``; ``FaultKind/internalFault`` without room,
  ///   or after ``finish(into:at:)``.
  public mutating func push(
    _ plaintext: Span<UInt8>, into out: inout [UInt8], at offset: inout Int
  ) throws(Fault) {
    try begin(needing: sealedBytes(pushing: plaintext.count), of: out.count, at: offset)
    var span = out.mutableSpan
    var taken = 0
    while taken < plaintext.count {
      if bytesInChunk == 0 { try beginChunk() }
      let count = min(Cobblestone.chunkBytes - bytesInChunk, plaintext.count - taken)
      try engine.update(
        plaintext.extracting(taken..<taken + count), into: &span, at: offset)
      taken += count
      offset += count
      bytesInChunk += count
      if bytesInChunk == Cobblestone.chunkBytes {
        try endChunk(into: &span, at: &offset)
        chunkNumber += 1
        bytesInChunk = 0
      }
    }
    state = .open
  }

  /// Ends the message: writes the tag of the short last chunk (16 bytes) at the offset.
  public mutating func finish(into out: inout [UInt8], at offset: inout Int) throws(Fault) {
    try begin(needing: GCM.tagBytes, of: out.count, at: offset)
    var span = out.mutableSpan
    if bytesInChunk == 0 { try beginChunk() }
    try endChunk(into: &span, at: &offset)
    state = .finished
  }

  // Failed until the caller has seen success: a fault on the way leaves it so.
  private mutating func begin(needing count: Int, of room: Int, at offset: Int) throws(Fault) {
    guard state == .open else {
      throw Fault(.internalFault, "the sealed message has ended")
    }
    guard offset >= 0, offset <= room, count <= room - offset else {
      throw Fault(.internalFault, "the output buffer is too small")
    }
    state = .failed
  }

  private func beginChunk() throws(Fault) {
    guard chunkNumber < Cobblestone.maxChunks else {
      throw Fault(.tooLarge, "a sealed message holds at most 4 PiB")
    }
    try engine.begin(nonce: baseNonce.bytes, number: chunkNumber, encrypt: true)
  }

  private func endChunk(
    into span: inout MutableSpan<UInt8>, at offset: inout Int
  ) throws(Fault) {
    try engine.finish(into: &span, at: offset)
    offset += GCM.tagBytes
  }
}
