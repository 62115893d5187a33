internal import VaultCrypto
public import VaultFault
public import VaultFrame

/// Opens the slice that answers one range, and releases exactly the range (FORMAT 10).
///
/// It computes from the range and the proven length which chunks must come, and refuses any other.
/// The SHA-256 of the whole object and the digest of the whole data cannot be compared: the bytes
/// are not there. The manifest's digest is compared with the expected one.
public struct SliceOpener: ~Copyable {
  private let range: ByteRange
  private var envelope: EnvelopeOpener
  private var body: SliceBody?
  private var manifestBytes = 0
  /// The digests that the manifest names, once it has been opened.
  private(set) var named: Set<DataDigest>?

  /// An opener for one slice, with the keys at hand and what the caller says must come.
  public init(
    _ keys: Keyring, expecting expected: Expectations, range: ByteRange
  ) {
    envelope = EnvelopeOpener(keys, expecting: expected)
    self.range = range
    body = nil
  }

  /// Whether a SHA-256 of the whole object is expected, whose bytes a slice does not have.
  var leavesDigestOpen: Bool { envelope.expected.sha256 != nil }

  /// Refuses a frame of chunks that must not come next, before its payload is read.
  public func check(_ header: FrameHeader) throws(Fault) {
    if header.type == .chunks { try body?.check(header) }
  }

  /// Takes one frame and hands what it releases to `write`: whole chunks that are authentic, cut to
  /// the range. Throws `usage` when only the SHA-256 of the whole object would pin it.
  public mutating func frame(
    _ header: FrameHeader, _ payload: Span<UInt8>, _ write: (Span<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    switch header.type {
    case .label: try envelope.accept(Label(parsing: payload))
    case .envelope:
      try envelope.accept(Envelope(parsing: payload))
      try SliceOpener.requireComparable(envelope.expected)
    case .tail: try open(tail: payload, number: header.index)
    case .manifest: try open(manifest: payload)
    case .chunks: try body?.open(header, payload, write)
    default: break
    }
  }

  /// The slice has ended, and with it comes the rest of the range. Throws `frame-order` when chunks
  /// are missing, `other-object` when the object has another size than the expected one.
  public mutating func end(
    _ payload: Span<UInt8>, _ write: (Span<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    let manifestEnd = EndCounts(parsing: payload).third + UInt64(FrameHeader.length + manifestBytes)
    let rest = FrameHeader.length + FrameType.end.limit
    try envelope.expected.compare(objectBytes: manifestEnd + UInt64(rest))
    try body?.finish(write)
  }

  private static func requireComparable(_ expected: Expectation) throws(Fault) {
    guard expected.sha256 == nil || expected.body != nil else {
      throw Fault(
        .usage, "a range cannot be compared with the SHA-256 of the whole object",
        hint: "open the whole object, or give a receipt that has a body")
    }
  }

  private mutating func open(tail payload: Span<UInt8>, number: UInt64) throws(Fault) {
    var opened = SliceBody(try envelope.body(payload), range: range)
    let chunk = payload.extracting(BodyLayout.headBytes..<payload.count)
    try opened.openTail(chunk, number: number)
    body = consume opened
  }

  private mutating func open(manifest payload: Span<UInt8>) throws(Fault) {
    let manifest = try envelope.manifest(payload)
    guard let size = body?.dataBytes else { throw Fault(.internalFault, "no tail") }
    guard manifest.size == size else {
      throw Fault(.sizeMismatch, "the data has \(size) bytes, the manifest says \(manifest.size)")
    }
    try envelope.expected.compare(dataBytes: size)
    try envelope.expected.compare(dataDigests: manifest.digests)
    try envelope.expected.compare(manifest.description)
    named = Set(manifest.digests.compactMap { DataDigest(rawValue: $0.algorithm) })
    manifestBytes = payload.count
    try body?.begin()
  }
}
