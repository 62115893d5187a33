internal import COpenSSL
internal import VaultDigest
public import VaultFault

/// Random bytes that may become public: salts, nonces, identifiers. Keys are ``Secret``s.
public enum Random {
  /// Fresh random bytes.
  /// - Throws: ``FaultKind/internalFault`` when the generator fails.
  public static func bytes(_ count: Int) throws(Fault) -> [UInt8] {
    try OpenSSL.start()
    var out = [UInt8](repeating: 0, count: count)
    let done = unsafe out.withUnsafeMutableBufferPointer {
      unsafe $0.isEmpty ? 1 : RAND_bytes_ex(nil, $0.baseAddress, $0.count, 0)
    }
    guard done == 1 else { throw OpenSSL.fault("cannot get random bytes") }
    return out
  }

  /// Seeds both generators of this thread; call it before a system-call filter is loaded.
  ///
  /// Later reseeds, and those of other threads, use `getrandom`, which the filter must allow.
  public static func start() throws(Fault) {
    _ = try bytes(1)
    _ = try Secret(random: 1)
  }
}
