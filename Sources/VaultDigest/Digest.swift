internal import COpenSSL
public import VaultFault

/// The digests of the suite; the raw value is the name on the wire.
public enum DigestAlgorithm: String, CaseIterable, Sendable {
  /// SHA3-256 (FIPS 202), the digest of an original.
  case sha3_256 = "sha3-256"
  /// SHA-256 (FIPS 180-4), the digest of sealed objects and parts.
  case sha256 = "sha256"
  /// MD5 (RFC 1321), only as a transport checksum that old stores ask for.
  case md5 = "md5"

  /// The length of the digest in bytes: 32, or 16 for MD5.
  public var byteCount: Int { self == .md5 ? 16 : 32 }
}

/// A running hash: bytes are pushed in any split, then the digest is taken once.
@safe public struct Digest: ~Copyable, @unchecked Sendable {
  private let algorithm: DigestAlgorithm
  private let context: OpaquePointer

  private init(_ algorithm: DigestAlgorithm, owning context: OpaquePointer) {
    self.algorithm = algorithm
    unsafe self.context = context
  }

  /// Starts an empty hash.
  /// - Throws: ``FaultKind/internalFault`` with the library's reason.
  public init(_ algorithm: DigestAlgorithm) throws(Fault) {
    let method = unsafe try Digests.shared.get().method(algorithm)
    guard let context = unsafe EVP_MD_CTX_new() else { throw OpenSSL.fault("cannot hash") }
    guard unsafe EVP_DigestInit_ex(context, method, nil) == 1 else {
      unsafe EVP_MD_CTX_free(context)
      throw OpenSSL.fault("cannot hash")
    }
    self.algorithm = algorithm
    unsafe self.context = context
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Another hash of the bytes so far, which goes on by itself.
  public func copy() throws(Fault) -> Digest {
    guard let twin = unsafe EVP_MD_CTX_new() else { throw OpenSSL.fault("cannot hash") }
    guard unsafe EVP_MD_CTX_copy_ex(twin, context) == 1 else {
      unsafe EVP_MD_CTX_free(twin)
      throw OpenSSL.fault("cannot hash")
    }
    return unsafe Digest(algorithm, owning: twin)
  }

  /// Adds bytes.
  public mutating func update(_ bytes: Span<UInt8>) throws(Fault) {
    let done = unsafe bytes.withUnsafeBytes {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
    guard done == 1 else { throw OpenSSL.fault("cannot hash") }
  }

  /// Forgets all bytes, so that a batch can use the context again.
  public mutating func reset() throws(Fault) {
    guard unsafe EVP_DigestInit_ex(context, nil, nil) == 1 else {
      throw OpenSSL.fault("cannot hash")
    }
  }

  /// The digest of all bytes so far; the hash is empty again, so a batch needs one context.
  public mutating func take() throws(Fault) -> [UInt8] {
    let out = try finalBytes()
    try reset()
    return out
  }

  /// The digest, ``DigestAlgorithm/byteCount`` bytes; ends the hash.
  public consuming func finish() throws(Fault) -> [UInt8] { try finalBytes() }

  private func finalBytes() throws(Fault) -> [UInt8] {
    var out = [UInt8](repeating: 0, count: algorithm.byteCount)
    let done = unsafe out.withUnsafeMutableBufferPointer {
      unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil)
    }
    guard done == 1 else { throw OpenSSL.fault("cannot hash") }
    return out
  }

  /// The digest of one span.
  public static func of(
    _ bytes: Span<UInt8>, _ algorithm: DigestAlgorithm
  ) throws(Fault) -> [UInt8] {
    var digest = try Digest(algorithm)
    try digest.update(bytes)
    return try digest.finish()
  }
}
