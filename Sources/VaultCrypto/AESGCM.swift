internal import VaultDigest
public import VaultFault

/// AES-256-GCM for small messages under single-use nonces: key slots, sealed halves of keys.
///
/// A pair of key and nonce must never seal twice; here keys and nonces are derived together from a
/// fresh salt. Bodies and manifests are sealed with ``CobblestoneSealer``.
public struct AESGCM: ~Copyable {
  private let engine: GCM

  /// Takes a key of 32 bytes.
  public init(key: Span<UInt8>) throws(Fault) { engine = try GCM(key: key) }

  /// The ciphertext and its tag: 16 bytes more than the plaintext. The nonce has 12 bytes.
  public func seal(
    nonce: Span<UInt8>, _ plaintext: Span<UInt8>, aad: [UInt8] = []
  ) throws(Fault) -> [UInt8] {
    try seal(nonce: nonce, number: 0, plaintext, aad: aad)
  }

  /// The plaintext of a ciphertext and its tag.
  /// - Throws: ``FaultKind/slotDamaged`` when it is not authentic; no byte of it is released.
  public func open(
    nonce: Span<UInt8>, _ sealed: Span<UInt8>, aad: [UInt8] = []
  ) throws(Fault) -> Secret {
    try open(nonce: nonce, number: 0, sealed, aad: aad)
  }

  func seal(
    nonce: Span<UInt8>, number: UInt64, _ plaintext: Span<UInt8>, aad: [UInt8]
  ) throws(Fault) -> [UInt8] {
    try engine.begin(nonce: nonce, number: number, encrypt: true)
    try engine.authenticate(aad.span)
    var out = [UInt8](repeating: 0, count: plaintext.count + GCM.tagBytes)
    var span = out.mutableSpan
    try engine.update(plaintext, into: &span, at: 0)
    try engine.finish(into: &span, at: plaintext.count)
    return out
  }

  func open(
    nonce: Span<UInt8>, number: UInt64, _ sealed: Span<UInt8>, aad: [UInt8]
  ) throws(Fault) -> Secret {
    let count = sealed.count - GCM.tagBytes
    guard count >= 0 else { throw AESGCM.refused }
    let text = sealed.extracting(first: count)
    let tag = sealed.extracting(last: GCM.tagBytes)
    try engine.begin(nonce: nonce, number: number, encrypt: false)
    try engine.authenticate(aad.span)
    return try Secret(count: count) { (out) throws(Fault) in
      try engine.update(text, into: &out, at: 0)
      guard engine.verify(tag: tag) else { throw AESGCM.refused }
    }
  }

  private static var refused: Fault { Fault(.slotDamaged, "the sealed key is not authentic") }
}
