import VaultCrypto
import VaultFault

// Spans cannot pass through the macros of the test library, so tests speak in arrays.

extension Secret {
  /// The bytes, for comparison with a vector.
  var array: [UInt8] {
    let span = bytes
    return span.indices.map { span[$0] }
  }

  static func copying(_ bytes: [UInt8]) throws(Fault) -> Secret { try Secret(copying: bytes.span) }
}

/// The kind of fault that a closure ends with, nil for none.
func kind(_ work: () throws(Fault) -> Void) -> FaultKind? {
  do throws(Fault) {
    try work()
    return nil
  } catch { return error.kind }
}

func hkdf256(_ key: [UInt8], _ salt: [UInt8], _ info: [UInt8], _ count: Int) throws(Fault)
  -> [UInt8]
{
  try HKDF.extractAndExpandSHA256(
    key: key.span, salt: salt.span, info: info.span, count: count
  ).array
}

func seal(_ key: [UInt8], _ nonce: [UInt8], _ text: [UInt8], aad: [UInt8]) throws(Fault)
  -> [UInt8]
{
  let cipher = try AESGCM(key: key.span)
  return try cipher.seal(nonce: nonce.span, text.span, aad: aad)
}

func open(_ key: [UInt8], _ nonce: [UInt8], _ sealed: [UInt8], aad: [UInt8]) throws(Fault)
  -> [UInt8]
{
  let cipher = try AESGCM(key: key.span)
  return try cipher.open(nonce: nonce.span, sealed.span, aad: aad).array
}

func agree(_ secret: [UInt8], _ point: [UInt8]) throws(Fault) -> [UInt8] {
  let key = try Secret.copying(secret)
  return try X25519.sharedSecret(key, with: point).array
}
