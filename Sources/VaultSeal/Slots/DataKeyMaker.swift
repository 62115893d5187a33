public import VaultFault
public import VaultFrame

/// Where the data keys of a sealer come from; each item gets one of its own.
public protocol DataKeyMaker: Sendable {
  /// A data key that was never used, for one item.
  func newDataKey(for item: ItemID) throws(Fault) -> NewDataKey
}

/// A data key made for one item, and the slots that lead to it by themselves.
public struct NewDataKey: Sendable {
  /// The key.
  public let key: DataKey
  /// Slots that the making of the key gives: one `derived`, or none.
  public let slots: [Slot]

  /// Takes both.
  public init(key: DataKey, slots: [Slot]) {
    self.key = key
    self.slots = slots
  }
}

/// Random data keys: the usual ones, to be wrapped for each reader.
public struct RandomDataKeys: DataKeyMaker {
  /// A maker of them.
  public init() {}

  /// 32 random bytes, no slot.
  public func newDataKey(for item: ItemID) throws(Fault) -> NewDataKey {
    NewDataKey(key: try DataKey(), slots: [])
  }
}
