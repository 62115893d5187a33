public import VaultFault
public import VaultFrame
internal import VaultText

/// The keys at hand for opening.
public struct Keyring: Sendable {
  private let keys: [(id: [UInt8], opener: any SlotOpener)]

  /// Takes the keys; their order does not matter.
  public init(_ openers: [any SlotOpener]) throws(Fault) {
    var keys: [(id: [UInt8], opener: any SlotOpener)] = []
    for opener in openers { keys.append((try opener.slotID(), opener)) }
    self.keys = keys
  }

  /// The data key of an envelope that has passed its check; its MAC is verified here.
  ///
  /// The first slot whose kind and id are those of a key at hand decides: when it does not open, no
  /// other is tried. Throws `no-key`, `slot-damaged` or `envelope-forged`.
  public func dataKey(of envelope: Envelope) throws(Fault) -> DataKey {
    for slot in envelope.slots where slot.isKnown {
      guard let opener = opener(of: slot) else { continue }
      let key = try opener.dataKey(from: slot, item: envelope.item)
      try envelope.authenticate(with: key)
      return key
    }
    throw noKey(envelope)
  }

  /// True when the slot's kind and id are those of a key at hand.
  func opens(_ slot: Slot) -> Bool { slot.isKnown && opener(of: slot) != nil }

  private func opener(of slot: Slot) -> (any SlotOpener)? {
    keys.first { $0.id == slot.id && $0.opener.slotKinds.contains(slot.kind) }?.opener
  }

  private func noKey(_ envelope: Envelope) -> Fault {
    if envelope.isDetached {
      return Fault(
        .noKey, "the object carries no slots",
        hint: "its envelope is in the receipt: name it with --envelope")
    }
    return Fault(
      .noKey, "no key given opens this item", hint: "it opens with: \(envelope.slotList)")
  }
}

extension Envelope {
  /// Kinds and ids of the slots, for a hint. The kinds of later versions are words of whoever made the
  /// envelope.
  var slotList: String {
    slots.map {
      $0.isKnown ? "\($0.kind) \(hex($0.id))" : "\(quoted($0.kind)) of a later version"
    }.joined(separator: ", ")
  }
}
