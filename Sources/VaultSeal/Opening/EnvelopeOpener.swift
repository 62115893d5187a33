internal import VaultCrypto
internal import VaultFault
internal import VaultFrame

/// Opens the envelope of one item in the order of FORMAT 6: its check, what the caller expects, the
/// head of the body, and only then a key.
struct EnvelopeOpener {
  private let keys: Keyring
  private let expectations: Expectations
  /// What must come: what the caller says of this item, and what labels add to it.
  private(set) var expected: Expectation
  /// What of it makes a verdict: the caller's own words.
  private(set) var callers: Expectation
  /// The object's own envelope, once it has come.
  private(set) var envelope: Envelope?
  /// Whether something expects this item, and it is the first of them.
  private(set) var isTaken = false
  private var label: Label?
  private var key: DataKey?

  init(_ keys: Keyring, expecting expectations: Expectations) {
    self.keys = keys
    self.expectations = expectations
    expected = expectations.common
    callers = expectations.common
  }

  /// Takes a label: what a row says must come travels in it, and so do detached slots.
  mutating func accept(_ label: Label) throws(Fault) {
    guard envelope == nil else { return try compareItem(label) }
    try expected.add(label)
    if expectations.trustsRows, expected.isStored { callers = expected }
    self.label = label
  }

  /// Takes the object's envelope.
  mutating func accept(_ found: Envelope) throws(Fault) {
    try found.verifyCheck()
    guard label?.item ?? found.item == found.item else {
      throw Fault(.badText, "the label names another item than the envelope")
    }
    guard label?.envelope == nil || found.isDetached else {
      throw Fault(.badText, "the label has an envelope, and the object has slots of its own")
    }
    try expected.compare(found)
    try take(found.item)
    try expected.compare(found)
    if let override = expected.envelope {
      try override.verifyCheck()
      guard override.item == found.item, override.body == found.body else {
        throw Fault(.otherObject, "the envelope given belongs to another object")
      }
    }
    envelope = found
  }

  // What a receipt says of the item is known from here on; the label can only add to it.
  private mutating func take(_ item: ItemID) throws(Fault) {
    callers = try expectations.take(item)
    isTaken = true
    guard let label else { return expected = callers }
    expected = callers
    try expected.add(label)
    if expectations.trustsRows, expected.isStored { callers = expected }
    if expected.pins, !callers.pins { expectations.hasUntrustedRow = true }
  }

  /// Begins to open the body, whose payload begins with its head. Only when that is the envelope's
  /// own is a key used at all.
  mutating func body(_ payload: Span<UInt8>) throws(Fault) -> CobblestoneOpener {
    guard let envelope else { throw Fault(.internalFault, "a body before an envelope") }
    try envelope.requireHead(of: payload)
    if key == nil { try unlock() }
    guard let key else { throw Fault(.internalFault, "a body before a key") }
    let head = payload.extracting(0..<BodyLayout.headBytes)
    return try key.message(context: DataKey.bodyContext, envelope.item, head: head)
  }

  /// Finds the data key before the body comes: for a rewriter, which compares it with the commitment.
  mutating func unlock() throws(Fault) {
    if let envelope { key = try dataKey(envelope) }
  }

  // The caller's envelope alone decides, where one is given. Else that of the receipt comes first, since it is
  // the newer one when it was rewrapped; then the object's own, then what a label or row brings. All of them must
  // be of one data key.
  private func dataKey(_ own: Envelope) throws(Fault) -> DataKey {
    let given = expectations.common.envelope
    let all = given.map { [$0] } ?? [expected.recorded, expected.envelope, own].compactMap { $0 }
    var missing: Fault?
    for candidate in all {
      do throws(Fault) {
        let key = try keys.dataKey(of: candidate)
        for other in all + [own] where other != candidate { try other.authenticate(with: key) }
        return key
      } catch {
        guard error.kind == .noKey else { throw error }
        if missing == nil { missing = error }
      }
    }
    // That another envelope was put into the object must not look like a key that is missing.
    if let recorded = expected.recorded, recorded != own, !own.isDetached {
      throw Fault(
        .otherObject, "the object's envelope is not the receipt's, and no key given opens either")
    }
    throw missing ?? Fault(.internalFault, "no envelope")
  }

  /// What the verdict says of the envelope; nil when the object has the one that is recorded, or
  /// none is.
  var envelopeState: OpenedItem.EnvelopeState? {
    guard let envelope, let outside = callers.recorded ?? callers.envelope, outside != envelope
    else { return nil }
    return envelope.isDetached ? .detached : .rewrapped
  }

  /// Opens the manifest, which must be that of this body.
  func manifest(_ payload: Span<UInt8>) throws(Fault) -> Manifest {
    guard let envelope, let key else { throw Fault(.internalFault, "a manifest before a key") }
    let found = try Manifest.opening(payload, item: envelope.item, with: key)
    guard found.body == envelope.body.commitment else {
      throw Fault(.manifestDamaged, "the manifest belongs to another body")
    }
    return found
  }

  private func compareItem(_ label: Label) throws(Fault) {
    guard label.item == envelope?.item, label.envelope == nil else {
      throw Fault(.badText, "the last label is not one of this item")
    }
  }
}
