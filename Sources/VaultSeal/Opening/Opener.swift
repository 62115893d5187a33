public import VaultFault
public import VaultFrame

/// Opens one sealed item: checks everything in the order of FORMAT 6 and releases only what is
/// authenticated, a frame of chunks at a time.
public struct Opener: ~Copyable {
  private var envelope: EnvelopeOpener
  private var body: BodyOpener?
  private var manifest: Manifest?
  private var data = OpenedData()
  private var object: ObjectMeasure

  /// An opener for one item, with the keys at hand and what the caller says must come.
  public init(_ keys: Keyring, expecting expected: Expectation) throws(Fault) {
    let object = try ObjectMeasure(hashing: expected.sha256 != nil)
    envelope = EnvelopeOpener(keys, expecting: expected)
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
    case .envelope: try envelope.accept(Envelope(parsing: payload))
    case .chunks: try chunks(header, payload)
    case .manifest: manifest = try envelope.manifest(payload)
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
    guard let found = envelope.envelope, let manifest, let body = body.take() else {
      throw Fault(.internalFault, "an item without a manifest")
    }
    guard manifest.size == body.dataBytes else {
      throw Fault(
        .sizeMismatch, "the data has \(body.dataBytes) bytes, the manifest says \(manifest.size)")
    }
    let chunks = body.chunks
    let digests = try body.finish()
    let expected = envelope.expected
    try expected.compare(manifest, digests)
    let objectBytes = object.bytes
    try expected.compare(dataBytes: manifest.size)
    try expected.compare(objectBytes: objectBytes, sha256: try object.finish())
    try expected.compare(dataDigests: digests)
    return OpenedItem(
      envelope: found, manifest: manifest, chunks: chunks, objectBytes: objectBytes,
      isPinned: expected.pins)
  }

  // A label comes before the first frame at rest, so nothing that has to be hashed is missed.
  private mutating func label(_ label: Label) throws(Fault) {
    try envelope.accept(label)
    if envelope.expected.sha256 != nil { try object.beginHashing() }
  }

  private mutating func chunks(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    if body == nil {
      body = try BodyOpener(envelope.body(payload), taking: envelope.expected.taken)
    }
    let failure: Fault? = try body?.open(header, payload, into: &data) ?? nil
    if let failure { throw failure }
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
