internal import VaultCrypto
public import VaultFault
public import VaultFrame

/// Opens one sealed item: checks everything in the order of FORMAT 6 and releases only what is
/// authenticated, a frame of chunks at a time.
public struct Opener: ~Copyable {
  private let keys: Keyring
  private var expected: Expectation
  private var envelope: Envelope?
  private var labelled: ItemID?
  private var key: DataKey?
  private var body: BodyOpener?
  private var manifest: Manifest?
  private var data = OpenedData()
  private var object: ObjectMeasure

  /// An opener for one item, with the keys at hand and what the caller says must come.
  public init(_ keys: Keyring, expecting expected: Expectation) throws(Fault) {
    let object = try ObjectMeasure(hashing: expected.sha256 != nil)
    self.keys = keys
    self.expected = expected
    self.object = object
  }

  /// Takes one frame; ``released`` is then the data that it releases, empty for most frames.
  ///
  /// When a chunk is not authentic, what came before it in the frame is released all the same.
  public mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    data.clear()
    if !header.isTransient { try object.add(header, payload) }
    switch header.type {
    case .label: try label(Label(parsing: payload))
    case .envelope: try open(Envelope(parsing: payload))
    case .chunks: try chunks(header, payload)
    case .manifest: try open(manifest: payload)
    default: break
    }
  }

  /// The data that the last frame released.
  public var released: Span<UInt8> {
    @_lifetime(borrow self)
    get { data.bytes }
  }

  /// The item has ended: compares the size, the digests and what the caller expects.
  public consuming func finish(
    _ end: FrameHeader, _ payload: Span<UInt8>
  ) throws(Fault) -> OpenedItem {
    try object.add(end, payload)
    guard let envelope, let manifest, let body = body.take() else {
      throw Fault(.internalFault, "an item without a manifest")
    }
    guard manifest.size == body.dataBytes else {
      throw Fault(
        .sizeMismatch, "the data has \(body.dataBytes) bytes, the manifest says \(manifest.size)")
    }
    let chunks = body.chunks
    let found = try body.finish()
    for digest in manifest.digests where !found.contains(digest) {
      throw Fault(.digestMismatch, "the \(digest.algorithm) of the data is not the manifest's")
    }
    let objectBytes = object.bytes
    try expected.compare(objectBytes: objectBytes, sha256: try object.finish())
    try expected.compare(sha3: found.first { $0.algorithm == "sha3-256" })
    return OpenedItem(
      envelope: envelope, manifest: manifest, chunks: chunks, objectBytes: objectBytes,
      isPinned: expected.pins)
  }

  // What a row says must come travels in the label of a batch, and so do detached slots.
  private mutating func label(_ label: Label) throws(Fault) {
    guard envelope == nil else { return try compareItem(label) }
    if let sha3 = label.sha3 { expected.sha3 = sha3 }
    if expected.envelope == nil, let text = label.envelope {
      expected.envelope = try Envelope(parsing: text.span)
    }
    labelled = label.item
  }

  private func compareItem(_ label: Label) throws(Fault) {
    guard label.item == envelope?.item, label.envelope == nil else {
      throw Fault(.badText, "the last label is not one of this item")
    }
  }

  private mutating func open(_ found: Envelope) throws(Fault) {
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

  // Only when the body is the envelope's own is a key used at all.
  private mutating func begin(
    _ envelope: Envelope, _ payload: Span<UInt8>
  ) throws(Fault) -> BodyOpener {
    try envelope.requireHead(of: payload)
    let key = try keys.dataKey(of: expected.envelope ?? envelope)
    if expected.envelope != nil { try envelope.authenticate(with: key) }
    self.key = key
    return try BodyOpener(envelope, head: payload, with: key)
  }

  private mutating func chunks(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    guard let envelope else { throw Fault(.internalFault, "chunks before an envelope") }
    if body == nil { body = try begin(envelope, payload) }
    let failure: Fault? = try body?.open(header, payload, into: &data) ?? nil
    if let failure { throw failure }
  }

  private mutating func open(manifest payload: Span<UInt8>) throws(Fault) {
    guard let envelope, let key else { throw Fault(.internalFault, "a manifest before a key") }
    let found = try Manifest.opening(payload, item: envelope.item, with: key)
    guard found.body == envelope.body.commitment else {
      throw Fault(.manifestDamaged, "the manifest belongs to another body")
    }
    manifest = found
  }
}

/// An item that was opened to its end, and everything agreed.
public struct OpenedItem: Sendable {
  /// The object's own envelope.
  public let envelope: Envelope
  /// The private facts.
  public let manifest: Manifest
  /// Chunks of the body.
  public let chunks: UInt64
  /// Bytes of the object at rest.
  public let objectBytes: UInt64
  /// True when the body or the digest of the object was compared with a receipt (docs/DESIGN.md, what pins what).
  public let isPinned: Bool
}
