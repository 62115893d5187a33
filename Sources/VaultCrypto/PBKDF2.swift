internal import COpenSSL
internal import VaultDigest
public import VaultFault

/// Key derivation from a password (RFC 8018).
public enum PBKDF2 {
  /// PBKDF2 with HMAC-SHA-256.
  ///
  /// Bounds on rounds and salt are the caller's policy; only what the function cannot do is refused.
  /// - Throws: ``FaultKind/internalFault`` for no rounds, more than 2³¹ − 1, or no output.
  public static func sha256(
    password: Span<UInt8>, salt: Span<UInt8>, rounds: UInt32, count: Int
  ) throws(Fault) -> Secret {
    let method = unsafe try Algorithms.shared.get().sha256
    guard let times = Int32(exactly: rounds), times > 0, (1...65536).contains(count),
      let passwordCount = Int32(exactly: password.count), let saltCount = Int32(exactly: salt.count)
    else { throw Fault(.internalFault, "PBKDF2 cannot take these lengths") }
    return try Secret(count: count) { (out) throws(Fault) in
      let done = unsafe out.withUnsafeMutableBufferPointer { out in
        unsafe password.withUnsafeBytes { password in
          unsafe salt.withUnsafeBufferPointer { salt in
            // nil would be taken for "no password"; an empty one has an address.
            let text = unsafe password.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe PKCS5_PBKDF2_HMAC(
              text, passwordCount, salt.baseAddress, saltCount, times, method,
              Int32(count), out.baseAddress)
          }
        }
      }
      guard done == 1 else { throw OpenSSL.fault("cannot derive a key from the password") }
    }
  }
}
