internal import VaultCrypto
internal import VaultDigest
public import VaultFault
public import VaultFrame

/// The id of an X25519 key's slots: a hint to which key a slot belongs, no proof (FORMAT 8).
func x25519SlotID(_ publicKey: [UInt8]) throws(Fault) -> [UInt8] {
  let digest = try Digest.of((label("vault/1 id x25519") + publicKey).span, .sha256)
  return Array(digest[..<8])
}

private let slotLabel = "vault/1 slot x25519"

extension Recipient: SlotMaker {
  /// Wraps a data key with HPKE in base mode (RFC 9180).
  public func slot(wrapping dataKey: DataKey, item: ItemID) throws(Fault) -> Slot {
    let id = try x25519SlotID(publicKey)
    let info = label(slotLabel, item)
    var values: [[UInt8]] = []
    try dataKey.withBytes { (key) throws(Fault) in
      let sealed = try HPKE.seal(to: publicKey, info: info, aad: [], plaintext: key)
      values = [sealed.enc, sealed.ciphertext]
    }
    return Slot(kind: "x25519", id: id, values: values)
  }
}

extension Identity: SlotOpener {
  /// `x25519`.
  public var slotKinds: [String] { ["x25519"] }

  /// The id of this key's slots.
  public func slotID() throws(Fault) -> [UInt8] { try x25519SlotID(publicKey) }

  /// Unwraps a data key with HPKE in base mode (RFC 9180).
  public func dataKey(from slot: Slot, item: ItemID) throws(Fault) -> DataKey {
    let values = slot.values
    guard values.count == 2 else { throw slotDamaged(slot) }
    let (enc, ciphertext) = (values[0], values[1])
    do throws(Fault) {
      return try DataKey(
        HPKE.open(
          enc: enc, with: secret, publicKey: publicKey, info: label(slotLabel, item),
          aad: [], ciphertext: ciphertext.span))
    } catch { throw error.kind == .internalFault ? error : slotDamaged(slot) }
  }
}
