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
  public init(_ keys: Keyring, expecting expectations: Expectations) {
    envelope = EnvelopeOpener(keys, expecting: expectations)
    object = ObjectMeasure()
    body = nil
  }

  /// Whether something expects this item; false until its envelope has come.
  var isTaken: Bool { envelope.isTaken }
  /// What the caller says must come; of the item itself only once its envelope has come.
  var callers: Expectation { envelope.callers }

  /// Takes one frame; ``released`` is then the data that it releases, empty for most frames.
  ///
  /// When a chunk is not authentic, what came before it in the frame is released all the same.
  public mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    data.clear()
    if header.type == .envelope { try begin(Envelope(parsing: payload)) }
    if !header.isTransient { try object.add(header, payload) }
    switch header.type {
    case .label: try envelope.accept(Label(parsing: payload))
    case .chunks: try chunks(header, payload)
    case .manifest: manifest = try envelope.manifest(payload)
    default: break
    }
  }

  /// Finds the data key once the envelope has come, and checks the envelope's MAC with it.
  mutating func unlock() throws(Fault) { try envelope.unlock() }

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
    try expected.compare(manifest.description)
    return OpenedItem(
      envelope: found, manifest: manifest, chunks: chunks, objectBytes: objectBytes,
      callers: envelope.callers, envelopeState: envelope.envelopeState)
  }

  // What must come is known with the envelope, which is the first frame at rest: so nothing that has to be
  // hashed is missed.
  private mutating func begin(_ found: Envelope) throws(Fault) {
    try envelope.accept(found)
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
  /// What the caller said must come, all of which was compared.
  let callers: Expectation
  /// True when the body, or a digest of the object or its data, was compared with what the caller
  /// said (docs/SECURITY.md, what a success means).
  public var isPinned: Bool { callers.pins }
  /// How the object's envelope differs from the one that the caller has of it; nil where it does not.
  public let envelopeState: EnvelopeState?

  /// How an object's own envelope may differ from the one outside.
  public enum EnvelopeState: String, Sendable {
    /// The object carries no slots.
    case detached
    /// The object carries other slots; item, body and data key are the same.
    case rewrapped
  }
}
