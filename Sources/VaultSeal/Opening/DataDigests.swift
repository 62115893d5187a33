internal import VaultDigest
internal import VaultFault
internal import VaultFrame

/// The digests of the data as it is opened. The manifest, which says which of them count, comes
/// after the data: so both are taken.
struct DataDigests: ~Copyable {
  private var sha3: Digest
  private var sha2: Digest

  init() throws(Fault) {
    let sha3 = try Digest(.sha3_256)
    let sha2 = try Digest(.sha256)
    self.sha3 = sha3
    self.sha2 = sha2
  }

  mutating func update(_ data: Span<UInt8>) throws(Fault) {
    try sha3.update(data)
    try sha2.update(data)
  }

  consuming func finish() throws(Fault) -> [NamedDigest] {
    [
      NamedDigest(algorithm: DigestAlgorithm.sha3_256.rawValue, value: try sha3.finish()),
      NamedDigest(algorithm: DigestAlgorithm.sha256.rawValue, value: try sha2.finish()),
    ]
  }
}

/// The bytes of the object at rest, and their SHA-256 when someone wants to compare it.
struct ObjectMeasure: ~Copyable {
  private(set) var bytes = UInt64(Prologue.length)
  private var digest: Digest?

  init(hashing: Bool) throws(Fault) {
    digest = nil
    if hashing { try beginHashing() }
  }

  /// Begins to hash too, before the first frame at rest.
  mutating func beginHashing() throws(Fault) {
    guard digest == nil, bytes == UInt64(Prologue.length) else { return }
    var begun = try Digest(.sha256)
    try begun.update(Prologue.bytes(.sealed).span)
    digest = consume begun
  }

  mutating func add(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    bytes += UInt64(FrameHeader.length + payload.count)
    guard digest != nil else { return }
    try digest?.update(header.bytes.span)
    try digest?.update(payload)
  }

  consuming func finish() throws(Fault) -> [UInt8]? { try digest.take()?.finish() }
}
