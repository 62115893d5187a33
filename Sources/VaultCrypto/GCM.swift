internal import COpenSSL
internal import VaultDigest
internal import VaultFault

/// The engine under ``AESGCM`` and Cobblestone: one keyed context, a new nonce for each message.
///
/// Who uses it must never begin two encryptions with the same nonce and number.
@safe struct GCM: ~Copyable {
  static let keyBytes = 32
  static let nonceBytes = 12
  static let tagBytes = 16

  private let context: OpaquePointer

  /// Expands a key of 32 bytes.
  init(key: Span<UInt8>) throws(Fault) {
    guard key.count == GCM.keyBytes else {
      throw Fault(.internalFault, "a key for AES-256-GCM has 32 bytes, not \(key.count)")
    }
    let cipher = unsafe try Algorithms.shared.get().gcm
    guard let context = unsafe EVP_CIPHER_CTX_new() else { throw GCM.failure }
    let done = unsafe key.withUnsafeBufferPointer {
      unsafe EVP_EncryptInit_ex(context, cipher, nil, $0.baseAddress, nil)
    }
    guard done == 1 else {
      unsafe EVP_CIPHER_CTX_free(context)
      throw GCM.failure
    }
    unsafe self.context = context
  }

  deinit { unsafe EVP_CIPHER_CTX_free(context) }

  /// Begins a message under the nonce XOR the number, a big-endian integer as wide as the nonce.
  func begin(nonce: Span<UInt8>, number: UInt64, encrypt: Bool) throws(Fault) {
    guard nonce.count == GCM.nonceBytes else {
      throw Fault(.internalFault, "a nonce for AES-256-GCM has 12 bytes, not \(nonce.count)")
    }
    let done = unsafe nonce.withUnsafeBufferPointer {
      unsafe vault_gcm_begin(context, $0.baseAddress, number, encrypt ? 1 : 0)
    }
    guard done == 1 else { throw GCM.failure }
  }

  /// Adds bytes that are authenticated only.
  func authenticate(_ bytes: Span<UInt8>) throws(Fault) {
    guard !bytes.isEmpty else { return }
    var written: Int32 = 0
    let count = try GCM.length(bytes)
    let done = unsafe bytes.withUnsafeBufferPointer {
      unsafe EVP_CipherUpdate(context, nil, &written, $0.baseAddress, count)
    }
    guard done == 1 else { throw GCM.failure }
  }

  /// Encrypts or decrypts bytes into a buffer at an offset; what is decrypted is not yet authentic.
  func update(
    _ bytes: Span<UInt8>, into out: inout MutableSpan<UInt8>, at offset: Int
  ) throws(Fault) {
    guard !bytes.isEmpty else { return }
    let count = try GCM.length(bytes)
    guard offset >= 0, offset <= out.count - bytes.count else { throw GCM.noRoom }
    var written: Int32 = 0
    let done = unsafe out.withUnsafeMutableBufferPointer { out in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe EVP_CipherUpdate(
          context, out.baseAddress?.advanced(by: offset), &written, bytes.baseAddress, count)
      }
    }
    guard done == 1, written == count else { throw GCM.failure }
  }

  /// Ends an encryption: writes the tag of 16 bytes at an offset.
  func finish(into out: inout MutableSpan<UInt8>, at offset: Int) throws(Fault) {
    guard offset >= 0, offset <= out.count - GCM.tagBytes else { throw GCM.noRoom }
    let done = unsafe out.withUnsafeMutableBufferPointer { out in
      let place = unsafe out.baseAddress?.advanced(by: offset)
      var written: Int32 = 0
      return unsafe EVP_CipherFinal_ex(context, place, &written) == 1
        && vault_gcm_get_tag(context, place) == 1
    }
    guard done else { throw GCM.failure }
  }

  /// Ends a decryption: whether the tag of 16 bytes proves all that was decrypted.
  func verify(tag: Span<UInt8>) -> Bool {
    guard tag.count == GCM.tagBytes else { return false }
    let good = unsafe tag.withUnsafeBufferPointer { tag in
      var spare: UInt8 = 0
      var written: Int32 = 0
      return unsafe vault_gcm_set_tag(context, tag.baseAddress) == 1
        && EVP_CipherFinal_ex(context, &spare, &written) == 1
    }
    // A refused tag may leave an error in the queue; the next fault must not show it.
    if !good { ERR_clear_error() }
    return good
  }

  private static func length(_ bytes: Span<UInt8>) throws(Fault) -> Int32 {
    guard let count = Int32(exactly: bytes.count) else {
      throw Fault(.internalFault, "\(bytes.count) bytes are too many for one call")
    }
    return count
  }

  private static var failure: Fault { OpenSSL.fault("AES-256-GCM failed") }
  private static var noRoom: Fault { Fault(.internalFault, "the output buffer is too small") }
}
