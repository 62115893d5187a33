public import VaultCrypto
public import VaultFault
public import VaultFrame

/// A key-encryption key: 32 bytes that wrap data keys (FORMAT 8, slot `key`).
public final class KeyEncryptionKey: SlotMaker, SlotOpener {
  private let wrapping: SaltedWrapping

  /// Takes the key.
  public init(_ secret: consuming Secret) throws(Fault) {
    wrapping = try SaltedWrapping(
      secret, kind: "key", label: "vault/1 slot key", idLabel: "vault/1 id key")
  }

  /// `key`.
  public var slotKinds: [String] { ["key"] }
  /// The id of this key's slots.
  public func slotID() throws(Fault) -> [UInt8] { wrapping.id }

  /// Wraps a data key with a fresh salt.
  public func slot(wrapping dataKey: DataKey, item: ItemID) throws(Fault) -> Slot {
    try wrapping.slot(dataKey, item)
  }

  /// Unwraps a data key.
  public func dataKey(from slot: Slot, item: ItemID) throws(Fault) -> DataKey {
    try wrapping.dataKey(slot, item)
  }
}

/// How a symmetric key wraps data keys: HKDF-SHA256 with a fresh salt gives key and nonce for one
/// use of AES-256-GCM (FORMAT 8, slots `key` and `space`).
final class SaltedWrapping: Sendable {
  static let saltBytes = 32
  let id: [UInt8]
  let secret: Secret
  private let kind: String
  private let text: String

  init(
    _ secret: consuming Secret, kind: String, label text: String, idLabel: String
  ) throws(Fault) {
    id = try SaltedWrapping.id(of: secret, idLabel)
    self.secret = secret
    self.kind = kind
    self.text = text
  }

  func slot(_ dataKey: DataKey, _ item: ItemID) throws(Fault) -> Slot {
    let salt = try Random.bytes(SaltedWrapping.saltBytes)
    let pair = try SingleUse(secret, salt, label(text, item))
    let sealed = try dataKey.withBytes { (key) throws(Fault) in try pair.seal(key) }
    return Slot(kind: kind, id: id, values: [salt, sealed])
  }

  func dataKey(_ slot: Slot, _ item: ItemID) throws(Fault) -> DataKey {
    let values = slot.values
    guard values.count == 2 else { throw slotDamaged(slot) }
    let pair = try SingleUse(secret, values[0], label(text, item))
    do throws(Fault) { return try DataKey(pair.open(values[1])) } catch {
      throw error.kind == .internalFault ? error : slotDamaged(slot)
    }
  }

  private static func id(of secret: borrowing Secret, _ text: String) throws(Fault) -> [UInt8] {
    let id = try HKDF.extractAndExpandSHA256(
      key: secret.bytes, salt: [UInt8]().span, info: label(text).span, count: 8)
    return id.bytes.copied()
  }
}
