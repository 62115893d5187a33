internal import VaultDigest
public import VaultFault

/// Decrypts the chunks of one Cobblestone-256 message, in any order.
///
/// The commitment is checked before a chunk can be named, and a chunk is released whole or not at
/// all. The caller proves the length: it must open the last chunk as the last one.
public struct CobblestoneOpener: ~Copyable, @unchecked Sendable {
  private let engine: GCM
  private let baseNonce: Secret

  /// Takes the input key of 32 bytes, the context and the 56 bytes of the message's head.
  /// - Throws: ``FaultKind/bodyDamaged`` when the head is not 56 bytes or does not commit to this
  ///   key and context.
  public init(inputKey: Span<UInt8>, context: [UInt8], head: Span<UInt8>) throws(Fault) {
    guard head.count == Cobblestone.headBytes else {
      throw Fault(.bodyDamaged, "the sealed message's head has \(head.count) bytes, not 56")
    }
    var salt: [UInt8] = []
    salt.append(copying: head.extracting(first: Cobblestone.saltBytes))
    let keys = try Cobblestone.Keys(inputKey: inputKey, salt: salt, context: context)
    let claimed = head.extracting(last: Cobblestone.commitmentBytes)
    guard equalConstantTime(keys.commitment, claimed) else {
      throw Fault(.bodyDamaged, "the sealed message was not made with this key")
    }
    let engine = try keys.engine()
    let baseNonce = try keys.baseNonce()
    self.engine = engine
    self.baseNonce = baseNonce
  }

  /// Opens chunk `number` (from 0) into `out` from `offset` on and moves the offset behind it.
  ///
  /// A chunk has 16,400 bytes, the last one 16 to 16,399; `out` needs room for 16 bytes fewer.
  /// - Throws: ``FaultKind/bodyDamaged`` with the number when the length is another or the chunk is
  ///   not authentic; then its place in `out` is wiped and the offset stays.
  public mutating func open(
    chunk: Span<UInt8>, number: UInt64, isLast: Bool, into out: inout [UInt8],
    at offset: inout Int
  ) throws(Fault) {
    try CobblestoneOpener.check(length: chunk.count, number: number, isLast: isLast)
    let count = chunk.count - GCM.tagBytes
    guard offset >= 0, offset <= out.count, count <= out.count - offset else {
      throw Fault(.internalFault, "the output buffer is too small")
    }
    var span = out.mutableSpan
    do throws(Fault) {
      try engine.begin(nonce: baseNonce.bytes, number: number, encrypt: false)
      try engine.update(chunk.extracting(first: count), into: &span, at: offset)
      guard engine.verify(tag: chunk.extracting(last: GCM.tagBytes)) else {
        throw Fault(.bodyDamaged, "chunk \(number) is not authentic")
      }
    } catch {
      wipe(&span, offset..<offset + count)
      throw error
    }
    offset += count
  }

  private static func check(length: Int, number: UInt64, isLast: Bool) throws(Fault) {
    guard number < Cobblestone.maxChunks else {
      throw Fault(.bodyDamaged, "chunk \(number) is past the limit of 4 PiB")
    }
    guard isLast else {
      if length == Cobblestone.sealedChunkBytes { return }
      throw Fault(.bodyDamaged, "chunk \(number) has \(length) bytes, not 16400")
    }
    guard length >= GCM.tagBytes, length < Cobblestone.sealedChunkBytes else {
      throw Fault(.bodyDamaged, "chunk \(number), the last, has \(length) bytes, not 16 to 16399")
    }
  }
}
