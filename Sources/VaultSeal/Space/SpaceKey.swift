internal import VaultCrypto
public import VaultFault
public import VaultFrame

/// The master key of a space that is unlocked: it wraps data keys, unwraps them, and derives them
/// (FORMAT 8, slots `space` and `derived`).
public final class SpaceKey: SlotMaker, SlotOpener {
  private let wrapping: SaltedWrapping

  init(_ master: consuming Secret) throws(Fault) {
    wrapping = try SaltedWrapping(
      master, kind: "space", label: "vault/1 slot space", idLabel: "vault/1 id space")
  }

  /// `space` and `derived`.
  public var slotKinds: [String] { ["space", SpaceKey.derivedKind] }
  /// The id of this key's slots, of both kinds.
  public func slotID() throws(Fault) -> [UInt8] { wrapping.id }

  /// Wraps a data key with a fresh salt, in a slot `space`.
  public func slot(wrapping dataKey: DataKey, item: ItemID) throws(Fault) -> Slot {
    try wrapping.slot(dataKey, item)
  }

  /// Unwraps a data key, or derives it.
  public func dataKey(from slot: Slot, item: ItemID) throws(Fault) -> DataKey {
    guard slot.kind == SpaceKey.derivedKind else { return try wrapping.dataKey(slot, item) }
    let values = slot.values
    guard values.count == 1 else { throw slotDamaged(slot) }
    return try derive(values[0], item)
  }

  /// Lends the master key to what is sealed in the space file.
  func withMaster<Result: ~Copyable>(
    _ body: (borrowing Secret) throws(Fault) -> Result
  ) throws(Fault) -> Result { try body(wrapping.secret) }

  fileprivate static let derivedKind = "derived"

  fileprivate func derive(_ salt: [UInt8], _ item: ItemID) throws(Fault) -> DataKey {
    try withMaster { (master) throws(Fault) in
      let info = label("vault/1 derived", item)
      return try DataKey(
        HKDF.extractAndExpandSHA256(
          key: master.bytes, salt: salt.span, info: info.span, count: DataKey.length))
    }
  }
}

/// Data keys that are derived from the master key of a space: nothing is wrapped, and the one slot
/// `derived` of an item holds only a salt.
public struct DerivedDataKeys: DataKeyMaker {
  private let space: SpaceKey

  /// Takes the key of a space.
  public init(_ space: SpaceKey) { self.space = space }

  /// Derives a data key with a fresh salt.
  public func newDataKey(for item: ItemID) throws(Fault) -> NewDataKey {
    let salt = try Random.bytes(SaltedWrapping.saltBytes)
    let slot = Slot(kind: SpaceKey.derivedKind, id: try space.slotID(), values: [salt])
    return NewDataKey(key: try space.derive(salt, item), slots: [slot])
  }
}
