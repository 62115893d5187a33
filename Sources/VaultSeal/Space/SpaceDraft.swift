internal import VaultCrypto
internal import VaultDigest
public import VaultFault
public import VaultFrame

/// A revision of a space file before it is written: everything in it gets a fresh salt.
struct SpaceDraft {
  let space: ItemID
  let revision: UInt64
  let key: SpaceKey
  let capture: Identity

  func file(_ secret: borrowing SpaceSecret, rounds: UInt32) throws(Fault) -> SpaceFile {
    let derivation = try secret.freshDerivation(rounds: rounds)
    let wrap = try SpaceWrap(secret, derivation, space)
    let salt = try Random.bytes(SaltedWrapping.saltBytes)
    let content = SpaceContent(
      space: space, revision: revision, derivation: derivation, commitment: wrap.commitment,
      master: try sealedMaster(wrap), capture: capture.publicKey, captureSalt: salt,
      sealedCapture: try sealedCapture(salt))
    let check = try SpaceFile.checkBytes(content.bytes)
    let unsealed = SpaceFile(content, check: check, mac: [])
    return SpaceFile(content, check: check, mac: try key.mac(unsealed))
  }

  private func sealedMaster(_ wrap: borrowing SpaceWrap) throws(Fault) -> [UInt8] {
    try SpaceDraft.seal(key, wrap)
  }

  private static func seal(_ key: SpaceKey, _ wrap: borrowing SpaceWrap) throws(Fault) -> [UInt8] {
    let master = try key.withMaster { (master) throws(Fault) in try master.copy() }
    return try wrap.seal(master)
  }

  private func sealedCapture(_ salt: [UInt8]) throws(Fault) -> [UInt8] {
    let half = try capture.copySecret()
    let info = SpaceKey.captureInfo(space)
    return try key.withMaster { (master) throws(Fault) in
      try SingleUse(master, salt, info).seal(half.bytes)
    }
  }
}

extension SpaceKey {
  static func captureInfo(_ space: ItemID) -> [UInt8] { label("vault-space/1 capture", space) }

  /// The private half of the capture key, out of a file.
  func capture(_ content: SpaceContent) throws(Fault) -> Identity {
    let info = SpaceKey.captureInfo(content.space)
    let half = try withMaster { (master) throws(Fault) in
      try SingleUse(master, content.captureSalt, info).open(content.sealedCapture)
    }
    return try Identity(secret: half)
  }

  /// The MAC over a file's lines before its own.
  func mac(_ file: SpaceFile) throws(Fault) -> [UInt8] {
    let info = label("vault-space/1 mac", file.content.space)
    let none: [UInt8] = []
    let macKey = try withMaster { (master) throws(Fault) in
      try HKDF.extractAndExpandSHA256(
        key: master.bytes, salt: none.span, info: info.span, count: 32)
    }
    return try HMAC.sha256(key: macKey.bytes, file.authenticated.span)
  }
}

extension SpaceFile {
  /// Throws `space-damaged` when the check is not that of the lines before it.
  public func verifyCheck() throws(Fault) {
    guard try SpaceFile.checkBytes(checked) == check else {
      throw Fault(.spaceDamaged, "the space file is damaged")
    }
  }

  static func checkBytes(_ text: [UInt8]) throws(Fault) -> [UInt8] {
    Array(try Digest.of(text.span, .sha256)[..<16])
  }
}
