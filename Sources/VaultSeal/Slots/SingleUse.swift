internal import VaultCrypto
internal import VaultFault
internal import VaultFrame

/// A key and a nonce of AES-256-GCM that seal one secret, since a fresh salt
/// made them (FORMAT 8, 13).
struct SingleUse: ~Copyable {
  static let keyBytes = 32
  static let nonceBytes = 12

  private let cipher: AESGCM
  private let nonce: [UInt8]

  init(_ secret: borrowing Secret, _ salt: [UInt8], _ info: [UInt8]) throws(Fault) {
    let derived = try HKDF.extractAndExpandSHA256(
      key: secret.bytes, salt: salt.span, info: info.span,
      count: SingleUse.keyBytes + SingleUse.nonceBytes)
    let cipher = try AESGCM(key: derived.bytes.extracting(0..<SingleUse.keyBytes))
    nonce = derived.bytes.extracting(SingleUse.keyBytes..<derived.count).copied()
    self.cipher = cipher
  }

  func seal(_ key: Span<UInt8>) throws(Fault) -> [UInt8] {
    try cipher.seal(nonce: nonce.span, key)
  }

  func open(_ sealed: [UInt8]) throws(Fault) -> Secret {
    try cipher.open(nonce: nonce.span, sealed.span)
  }
}
