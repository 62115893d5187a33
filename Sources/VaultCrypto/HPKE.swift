internal import VaultDigest
public import VaultFault

/// Hybrid public key encryption of one message (RFC 9180, base mode, single shot):
/// DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
///
/// Composed from the library's primitives, since OpenSSL 3.0 has no HPKE of its own.
public enum HPKE {
  /// Seals to the holder of a public key.
  /// - Returns: the encapsulated key of 32 bytes; the ciphertext and its tag, 16 bytes longer than
  ///   the plaintext.
  /// - Throws: ``FaultKind/badRecipient`` for a point that is not canonical or of low order.
  public static func seal(
    to publicKey: [UInt8], info: [UInt8], aad: [UInt8], plaintext: Span<UInt8>
  ) throws(Fault) -> (enc: [UInt8], ciphertext: [UInt8]) {
    let ephemeral = try X25519.generate()
    return try seal(
      to: publicKey, ephemeral: ephemeral, info: info, aad: aad, plaintext: plaintext)
  }

  /// Opens what was sealed to a public key.
  /// - Throws: ``FaultKind/slotDamaged`` when the encapsulated key is no good point or the
  ///   ciphertext is not authentic; the two are not told apart.
  public static func open(
    enc: [UInt8], with secret: borrowing Secret, publicKey: [UInt8], info: [UInt8], aad: [UInt8],
    ciphertext: Span<UInt8>
  ) throws(Fault) -> Secret {
    do throws(Fault) {
      let context = try Context(enc: enc, secret: secret, publicKey: publicKey, info: info)
      return try context.open(0, ciphertext, aad: aad)
    } catch {
      guard error.kind == .badRecipient else { throw error }
      throw Fault(.slotDamaged, "the sealed key is not authentic")
    }
  }

  /// The same as ``seal(to:info:aad:plaintext:)`` with a given ephemeral key, for known answers.
  static func seal(
    to publicKey: [UInt8], ephemeral: borrowing Secret, info: [UInt8], aad: [UInt8],
    plaintext: Span<UInt8>
  ) throws(Fault) -> (enc: [UInt8], ciphertext: [UInt8]) {
    let own = try X25519.PrivateKey(ephemeral)
    let enc = try own.publicKey()
    let shared = try own.sharedSecret(with: publicKey)
    let context = try Context(shared: shared, enc: enc, publicKey: publicKey, info: info)
    return (enc, try context.seal(0, plaintext, aad: aad))
  }

  /// The key and base nonce of one encapsulation (RFC 9180 §5.1).
  struct Context: ~Copyable {
    let key: Secret
    let baseNonce: Secret

    init(
      enc: [UInt8], secret: borrowing Secret, publicKey: [UInt8], info: [UInt8]
    ) throws(Fault) {
      let shared = try X25519.PrivateKey(secret).sharedSecret(with: enc)
      try self.init(shared: shared, enc: enc, publicKey: publicKey, info: info)
    }

    init(
      shared: borrowing Secret, enc: [UInt8], publicKey: [UInt8], info: [UInt8]
    ) throws(Fault) {
      let none: [UInt8] = []
      let kem = try Schedule.kem.extract(none.span, "eae_prk", shared.bytes)
      let agreed = try Schedule.kem.expand(kem, "shared_secret", enc + publicKey, 32)
      let suite = Schedule.suite
      let pskHash = try suite.extract(none.span, "psk_id_hash", none.span)
      let infoHash = try suite.extract(none.span, "info_hash", info.span)
      var context: [UInt8] = [0]  // base mode
      context.append(copying: pskHash.bytes)
      context.append(copying: infoHash.bytes)
      let secret = try suite.extract(agreed.bytes, "secret", none.span)
      let key = try suite.expand(secret, "key", context, GCM.keyBytes)
      let baseNonce = try suite.expand(secret, "base_nonce", context, GCM.nonceBytes)
      self.key = key
      self.baseNonce = baseNonce
    }

    /// Seals message `number`; a number must never be used twice (RFC 9180 §5.2).
    func seal(_ number: UInt64, _ plaintext: Span<UInt8>, aad: [UInt8]) throws(Fault) -> [UInt8] {
      let cipher = try AESGCM(key: key.bytes)
      return try cipher.seal(nonce: baseNonce.bytes, number: number, plaintext, aad: aad)
    }

    func open(_ number: UInt64, _ sealed: Span<UInt8>, aad: [UInt8]) throws(Fault) -> Secret {
      let cipher = try AESGCM(key: key.bytes)
      return try cipher.open(nonce: baseNonce.bytes, number: number, sealed, aad: aad)
    }
  }

  /// Derivation under labels (RFC 9180 §4).
  private struct Schedule {
    let suiteID: [UInt8]

    static let kem = Schedule(suiteID: Array("KEM".utf8) + [0x00, 0x20])
    static let suite = Schedule(
      suiteID: Array("HPKE".utf8) + [0x00, 0x20, 0x00, 0x01, 0x00, 0x02])

    func extract(
      _ salt: Span<UInt8>, _ label: String, _ key: Span<UInt8>
    ) throws(Fault) -> Secret {
      try HKDF.extractSHA256(label: prefix(label), key: key, salt: salt)
    }

    func expand(
      _ key: borrowing Secret, _ label: String, _ info: [UInt8], _ count: Int
    ) throws(Fault) -> Secret {
      let whole = [UInt8(count >> 8), UInt8(count & 255)] + prefix(label) + info
      return try HKDF.expandSHA256(key: key.bytes, info: whole.span, count: count)
    }

    private func prefix(_ label: String) -> [UInt8] {
      Array("HPKE-v1".utf8) + suiteID + Array(label.utf8)
    }
  }
}

extension [UInt8] {
  /// Appends the bytes of a span that are not secret.
  mutating func append(copying bytes: Span<UInt8>) {
    reserveCapacity(count + bytes.count)
    for index in bytes.indices { append(bytes[index]) }
  }
}
