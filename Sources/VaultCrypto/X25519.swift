internal import COpenSSL
internal import VaultDigest
public import VaultFault

/// Diffie-Hellman over Curve25519 (RFC 7748); keys and points are 32 bytes.
public enum X25519 {
  /// The length of a private key, a point and a shared secret.
  public static let byteCount = 32

  /// A fresh private key.
  public static func generate() throws(Fault) -> Secret { try Secret(random: byteCount) }

  /// The public point of a private key.
  public static func publicKey(of secret: borrowing Secret) throws(Fault) -> [UInt8] {
    try PrivateKey(secret).publicKey()
  }

  /// The shared secret of a private key and another's point.
  /// - Throws: ``FaultKind/badRecipient`` when the point is not canonical, or of low order (the
  ///   shared secret would be all zeros, the same for everyone).
  public static func sharedSecret(
    _ secret: borrowing Secret, with point: [UInt8]
  ) throws(Fault) -> Secret {
    try PrivateKey(secret).sharedSecret(with: point)
  }

  /// Tries a point with a key made for this: throws what sealing to it would throw.
  public static func check(_ point: [UInt8]) throws(Fault) {
    let trial = try generate()
    _ = try sharedSecret(trial, with: point)
  }

  /// Whether 32 bytes are the one encoding of a coordinate: below 2²⁵⁵ − 19, the top bit clear.
  public static func isCanonical(_ point: [UInt8]) -> Bool {
    guard point.count == byteCount else { return false }
    guard point[31] & 0x80 == 0 else { return false }
    guard point[31] == 0x7f, point[1..<31].allSatisfy({ $0 == 0xff }) else { return true }
    return point[0] < 0xed
  }

  /// A private key inside the library, which keeps it in its secure heap.
  @safe struct PrivateKey: ~Copyable {
    private let key: OpaquePointer

    init(_ secret: borrowing Secret) throws(Fault) {
      try OpenSSL.start()
      let bytes = secret.bytes
      let key = unsafe bytes.withUnsafeBufferPointer {
        unsafe EVP_PKEY_new_raw_private_key_ex(nil, "X25519", nil, $0.baseAddress, $0.count)
      }
      guard let key = unsafe key else { throw OpenSSL.fault("cannot use a private key") }
      unsafe self.key = key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    func publicKey() throws(Fault) -> [UInt8] {
      var out = [UInt8](repeating: 0, count: byteCount)
      var count = byteCount
      let done = unsafe out.withUnsafeMutableBufferPointer {
        unsafe EVP_PKEY_get_raw_public_key(key, $0.baseAddress, &count)
      }
      guard done == 1, count == byteCount else { throw OpenSSL.fault("cannot use a private key") }
      return out
    }

    func sharedSecret(with point: [UInt8]) throws(Fault) -> Secret {
      guard isCanonical(point) else {
        throw Fault(.badRecipient, "the public key is not a canonical X25519 point")
      }
      let peer = try PublicKey(point)
      return try Secret(count: byteCount) { (out) throws(Fault) in
        guard unsafe peer.agree(with: key, into: &out), !isZero(out.span) else {
          ERR_clear_error()
          throw Fault(.badRecipient, "the public key is a point of low order")
        }
      }
    }
  }

  /// A point inside the library.
  @safe private struct PublicKey: ~Copyable {
    private let key: OpaquePointer

    init(_ point: [UInt8]) throws(Fault) {
      let key = unsafe point.withUnsafeBufferPointer {
        unsafe EVP_PKEY_new_raw_public_key_ex(nil, "X25519", nil, $0.baseAddress, $0.count)
      }
      guard let key = unsafe key else { throw OpenSSL.fault("cannot use a public key") }
      unsafe self.key = key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    func agree(with own: OpaquePointer, into out: inout MutableSpan<UInt8>) -> Bool {
      guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, own, nil) else { return false }
      defer { unsafe EVP_PKEY_CTX_free(context) }
      return unsafe out.withUnsafeMutableBufferPointer {
        var count = $0.count
        return unsafe EVP_PKEY_derive_init(context) == 1
          && EVP_PKEY_derive_set_peer_ex(context, key, 0) == 1
          && EVP_PKEY_derive(context, $0.baseAddress, &count) == 1 && count == byteCount
      }
    }
  }

  private static func isZero(_ bytes: Span<UInt8>) -> Bool {
    var sum: UInt8 = 0
    for index in bytes.indices { sum |= bytes[index] }
    return sum == 0
  }
}
