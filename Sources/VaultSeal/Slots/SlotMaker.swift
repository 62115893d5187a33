public import VaultFault
public import VaultFrame

/// A reader of an item, as the sealer knows it: it wraps the data key into a slot (FORMAT 8).
public protocol SlotMaker: Sendable {
  /// Wraps a data key for an item.
  func slot(wrapping dataKey: DataKey, item: ItemID) throws(Fault) -> Slot
}

/// A key at hand, as the opener knows it: it takes the data key out of its slot (FORMAT 8).
public protocol SlotOpener: Sendable {
  /// The kinds of slots that this key may open.
  var slotKinds: [String] { get }
  /// The id that its slots carry, 8 bytes.
  func slotID() throws(Fault) -> [UInt8]
  /// Takes the data key out of a slot of one of these kinds with this id; throws `slot-damaged`.
  func dataKey(from slot: Slot, item: ItemID) throws(Fault) -> DataKey
}

/// "vault/1 …", a zero byte, and what it is bound to.
func label(_ text: String, _ item: ItemID) -> [UInt8] { Array(text.utf8) + [0] + item.bytes }

/// "vault/1 …" and a zero byte.
func label(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

/// The fault of a slot that carries our id and does not open.
func slotDamaged(_ slot: Slot) -> Fault {
  Fault(.slotDamaged, "the \(slot.kind) slot \(quoted(slot.fields.first ?? "")) is damaged")
}
