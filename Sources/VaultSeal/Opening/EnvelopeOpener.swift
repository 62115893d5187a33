internal import VaultCrypto
internal import VaultFault
internal import VaultFrame

/// Opens the envelope of one item in the order of FORMAT 6: its check, what the caller expects, the
/// head of the body, and only then a key.
struct EnvelopeOpener {
  private let keys: Keyring
  /// What the caller says must come; labels may add to it.
  private(set) var expected: Expectation
  /// The object's own envelope, once it has come.
  private(set) var envelope: Envelope?
  private var labelled: ItemID?
  private var key: DataKey?

  init(_ keys: Keyring, expecting expected: Expectation) {
    self.keys = keys
    self.expected = expected
  }

  /// Takes a label: what a row says must come travels in it, and so do detached slots.
  mutating func accept(_ label: Label) throws(Fault) {
    guard envelope == nil else { return try compareItem(label) }
    try expected.add(label)
    labelled = label.item
  }

  /// Takes the object's envelope.
  mutating func accept(_ found: Envelope) throws(Fault) {
    try found.verifyCheck()
    guard labelled ?? found.item == found.item else {
      throw Fault(.badText, "the label names another item than the envelope")
    }
    try expected.compare(found)
    if let override = expected.envelope {
      try override.verifyCheck()
      guard override.item == found.item, override.body == found.body else {
        throw Fault(.otherObject, "the envelope given belongs to another object")
      }
    }
    envelope = found
  }

  /// Begins to open the body, whose payload begins with its head. Only when that is the envelope's
  /// own is a key used at all.
  mutating func body(_ payload: Span<UInt8>) throws(Fault) -> CobblestoneOpener {
    guard let envelope else { throw Fault(.internalFault, "a body before an envelope") }
    try envelope.requireHead(of: payload)
    let key = try keys.dataKey(of: expected.envelope ?? envelope)
    if expected.envelope != nil { try envelope.authenticate(with: key) }
    self.key = key
    let head = payload.extracting(0..<BodyLayout.headBytes)
    return try key.message(context: DataKey.bodyContext, envelope.item, head: head)
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
