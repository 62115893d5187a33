internal import VaultCrypto
internal import VaultDigest
internal import VaultFault
internal import VaultFrame

/// How the unlocking key of a space wraps its master key: key and nonce for one use, and a
/// commitment that tells a wrong password from a damaged file (FORMAT 13).
struct SpaceWrap: ~Copyable {
  private static let count = 76
  private let material: Secret

  init(
    _ secret: borrowing SpaceSecret, _ derivation: SpaceDerivation, _ space: ItemID
  ) throws(Fault) {
    let key = try secret.unlockingKey(derivation)
    let info = label("vault-space/1 wrap", space)
    material = try HKDF.expandSHA256(key: key.bytes, info: info.span, count: SpaceWrap.count)
  }

  var commitment: [UInt8] { material.bytes.extracting(44..<SpaceWrap.count).copied() }

  func commits(to claimed: [UInt8]) -> Bool {
    equalConstantTime(material.bytes.extracting(44..<SpaceWrap.count), claimed.span)
  }

  func seal(_ master: borrowing Secret) throws(Fault) -> [UInt8] {
    let cipher = try AESGCM(key: material.bytes.extracting(0..<32))
    return try cipher.seal(nonce: material.bytes.extracting(32..<44), master.bytes)
  }

  func open(_ sealed: [UInt8]) throws(Fault) -> Secret {
    let cipher = try AESGCM(key: material.bytes.extracting(0..<32))
    return try cipher.open(nonce: material.bytes.extracting(32..<44), sealed.span)
  }
}
