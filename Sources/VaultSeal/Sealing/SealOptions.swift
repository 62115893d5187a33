public import VaultFault
internal import VaultFrame

/// What of the private description may be shown in a receipt.
public enum Disclosure: String, CaseIterable, Sendable {
  /// The digests of the data.
  case digest
  /// The file name.
  case name
  /// The media type.
  case mediaType = "media-type"
}

/// What the caller of `vault-seal` asks for.
public struct SealOptions: Sendable {
  /// The readers, one slot each.
  public var readers: [any SlotMaker]
  /// Where the data keys come from.
  public var dataKeys: any DataKeyMaker = RandomDataKeys()
  /// Leave the slots out of the object; the receipt has them.
  public var detach = false
  /// What a receipt may show.
  public var disclose: Set<Disclosure> = []
  /// The clock: seconds since 1970, UTC.
  public var now: @Sendable () -> Int64

  /// Takes the readers and a clock.
  public init(readers: [any SlotMaker], now: @escaping @Sendable () -> Int64) {
    self.readers = readers
    self.now = now
  }

  /// True when what comes out needs labels, and so a batch.
  public var needsLabels: Bool { detach || !disclose.isEmpty }

  /// The time that an object sealed now gets.
  ///
  /// - Throws: ``FaultKind/badConfiguration`` for a clock before 1970 or after 9999: no reader takes such
  ///   a time (FORMAT 1.1).
  public func time() throws(Fault) -> String {
    let seconds = now()
    guard let text = TextTime.text(seconds) else {
      throw Fault(
        .badConfiguration,
        "the clock is \(seconds) seconds from 1970: an object has a time of the years 1970 to 9999",
        hint: "set the clock of this machine")
    }
    return text
  }

  func slots(for made: NewDataKey, item: ItemID) throws(Fault) -> [Slot] {
    var slots = made.slots
    for reader in readers { slots.append(try reader.slot(wrapping: made.key, item: item)) }
    return slots
  }

  /// The second label of an item; nil when nothing is shown.
  func disclosed(_ label: Label, _ digests: [NamedDigest]) -> Label? {
    var shown = Label(item: label.item)
    if disclose.contains(.name) { shown.description.name = label.description.name }
    if disclose.contains(.mediaType) { shown.description.mediaType = label.description.mediaType }
    if disclose.contains(.digest) { shown.digests = digests }
    shown.description.isOptimized = label.description.isOptimized
    return needsLabels || shown.description.isOptimized ? shown : nil
  }
}
