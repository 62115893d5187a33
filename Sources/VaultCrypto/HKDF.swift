internal import VaultDigest
public import VaultFault

/// Key derivation from key material (RFC 5869). All output is secret.
public enum HKDF {
  /// HKDF-SHA-256, both steps; at most 8,160 bytes.
  public static func extractAndExpandSHA256(
    key: Span<UInt8>, salt: Span<UInt8>, info: Span<UInt8>, count: Int
  ) throws(Fault) -> Secret {
    let pseudorandom = try extractSHA256(key: key, salt: salt)
    return try expandSHA256(key: pseudorandom.bytes, info: info, count: count)
  }

  /// The first step with SHA-256: a pseudorandom key of 32 bytes.
  public static func extractSHA256(
    key: Span<UInt8>, salt: Span<UInt8>
  ) throws(Fault) -> Secret {
    try extractSHA256(label: [], key: key, salt: salt)
  }

  /// The first step over a label and the key, so that HPKE need not join them in memory.
  static func extractSHA256(
    label: [UInt8], key: Span<UInt8>, salt: Span<UInt8>
  ) throws(Fault) -> Secret {
    let mac = try KeyedHash(.sha256, key: salt)
    try mac.update(label.span)
    try mac.update(key)
    return try Secret(count: 32) { (out) throws(Fault) in try mac.finish(into: &out, at: 0) }
  }

  /// The second step with SHA-256; at most 8,160 bytes.
  public static func expandSHA256(
    key: Span<UInt8>, info: Span<UInt8>, count: Int
  ) throws(Fault) -> Secret {
    try expand(.sha256, key: key, info: info, count: count)
  }

  /// The second step with SHA-512; at most 16,320 bytes.
  public static func expandSHA512(
    key: Span<UInt8>, info: Span<UInt8>, count: Int
  ) throws(Fault) -> Secret {
    try expand(.sha512, key: key, info: info, count: count)
  }

  // RFC 5869 §2.3. Each block is computed where it stays, so no second copy has to be wiped.
  private static func expand(
    _ function: KeyedHash.Function, key: Span<UInt8>, info: Span<UInt8>, count: Int
  ) throws(Fault) -> Secret {
    let length = function.byteCount
    let blocks = (count + length - 1) / length
    guard (1...255).contains(blocks) else {
      throw Fault(.internalFault, "HKDF cannot give \(count) bytes")
    }
    let mac = try KeyedHash(function, key: key)
    return try Secret(count: count, capacity: blocks * length) { (out) throws(Fault) in
      for block in 0..<blocks {
        if block > 0 {
          try mac.restart()
          try mac.update(out.span.extracting((block - 1) * length..<block * length))
        }
        try mac.update(info)
        let number = [UInt8(block + 1)]
        try mac.update(number.span)
        try mac.finish(into: &out, at: block * length)
      }
    }
  }
}
