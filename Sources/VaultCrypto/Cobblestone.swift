internal import VaultDigest
internal import VaultFault

/// The numbers of Cobblestone-256 and its key schedule (C2SP chunked-encryption v1).
enum Cobblestone {
  static let saltBytes = 24
  static let commitmentBytes = 32
  static let headBytes = 56
  static let chunkBytes = 16384
  static let sealedChunkBytes = 16400
  static let maxChunks: UInt64 = 1 << 38

  private static let label = Array("c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM".utf8) + [0]

  /// What the input key, a salt and a context give: key 32, base nonce 12, commitment 32.
  struct Keys: ~Copyable {
    private let material: Secret

    init(inputKey: Span<UInt8>, salt: [UInt8], context: [UInt8]) throws(Fault) {
      guard inputKey.count == GCM.keyBytes else {
        throw Fault(.internalFault, "an input key has 32 bytes, not \(inputKey.count)")
      }
      let info = label + salt + context
      let count = GCM.keyBytes + GCM.nonceBytes + commitmentBytes
      material = try HKDF.expandSHA512(key: inputKey, info: info.span, count: count)
    }

    func engine() throws(Fault) -> GCM {
      let bytes = material.bytes
      return try GCM(key: bytes.extracting(first: GCM.keyBytes))
    }

    func baseNonce() throws(Fault) -> Secret {
      let bytes = material.bytes
      return try Secret(copying: bytes.extracting(32..<44))
    }

    var commitment: Span<UInt8> {
      @_lifetime(borrow self)
      borrowing get { material.bytes.extracting(last: commitmentBytes) }
    }
  }
}
