public import VaultFault
public import VaultFrame
internal import VaultText

/// Gives an item other readers: a new envelope for the same item, body and data key, and so for the
/// same sealed bytes (FORMAT 8).
public struct EnvelopeRewriter: Sendable {
  /// What becomes of the slots.
  public enum Change: Sendable {
    /// The slots that the keys at hand open are replaced by these readers' slots; the others stay,
    /// unless `only` is true.
    case replace(by: [any SlotMaker], only: Bool)
    /// These readers are added, these slots are removed.
    case share(adding: [any SlotMaker], removing: [SlotName])
  }

  let keys: Keyring
  private let change: Change

  /// Takes the keys that open the present envelopes.
  public init(_ keys: Keyring, _ change: Change) {
    self.keys = keys
    self.change = change
  }

  /// The new envelope of an item.
  ///
  /// Throws what opening throws, `other-object` when a slot that is to be removed is not there, and
  /// `usage` when no slot would be left.
  public func rewritten(_ old: Envelope) throws(Fault) -> Envelope {
    try old.verifyCheck()
    let key = try keys.dataKey(of: old)
    try key.requireBody(of: old)
    let slots = try slots(of: old, key)
    guard !slots.isEmpty else {
      throw Fault(
        .usage, "no slot would be left, and nobody could open the item again",
        hint: "add another reader first")
    }
    return try Envelope.sealing(item: old.item, body: old.body, slots: slots, with: key)
  }

  private func slots(of old: Envelope, _ key: DataKey) throws(Fault) -> [Slot] {
    switch change {
    case .replace(let readers, let only):
      let new = try made(by: readers, key, old.item)
      let kept = only ? [] : old.slots.filter { !keys.opens($0) }
      return merged(kept, new)
    case .share(let readers, let removed):
      for name in removed where !old.slots.contains(where: name.names) {
        throw Fault(
          .otherObject, "the item has no slot \(name.text), so there is none to remove",
          hint: "its slots: \(old.slotList)")
      }
      let new = try made(by: readers, key, old.item)
      let kept = old.slots.filter { slot in !removed.contains { $0.names(slot) } }
      return merged(kept, new)
    }
  }

  private func made(
    by readers: [any SlotMaker], _ key: DataKey, _ item: ItemID
  ) throws(Fault) -> [Slot] {
    var slots: [Slot] = []
    for reader in readers { slots.append(try reader.slot(wrapping: key, item: item)) }
    return slots
  }

  // A reader who has a slot already gets no second one.
  private func merged(_ kept: [Slot], _ new: [Slot]) -> [Slot] {
    kept.filter { old in !new.contains { $0.kind == old.kind && $0.id == old.id } } + new
  }
}

/// How a slot is named that is to be removed: by the recipient, or by its id as `--inspect` shows it.
public struct SlotName: Sendable {
  private let kind: String?
  private let id: [UInt8]
  /// The name as it was given.
  let text: String

  /// Reads `age1…`, or 16 hex digits; throws `usage`.
  public init(_ text: String) throws(Fault) {
    if let id = bytes(hex: text), id.count == 8 {
      (kind, self.id, self.text) = (nil, id, text)
      return
    }
    do throws(Fault) {
      let recipient = try Recipient(text: text)
      (kind, id) = ("x25519", try x25519SlotID(recipient.publicKey))
      self.text = recipient.text
    } catch {
      throw Fault(
        .usage, "a slot is named by its recipient, age1…, or by its id of 16 hex digits",
        hint: "vault-open --inspect shows the ids")
    }
  }

  func names(_ slot: Slot) -> Bool {
    slot.isKnown && slot.id == id && (kind == nil || kind == slot.kind)
  }
}
