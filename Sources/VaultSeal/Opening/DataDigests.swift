internal import VaultDigest
internal import VaultFault
internal import VaultFrame

/// The digests of the data as it is opened. In a stream the manifest, which says which of them count,
/// comes after the data.
struct DataDigests: ~Copyable {
  private var sha3: Digest?
  private var sha2: Digest?

  init(_ wanted: Set<DataDigest>) throws(Fault) {
    let sha3 = wanted.contains(.sha3) ? try Digest(.sha3_256) : nil
    sha2 = wanted.contains(.sha256) ? try Digest(.sha256) : nil
    self.sha3 = sha3
  }

  mutating func update(_ data: Span<UInt8>) throws(Fault) {
    try sha3?.update(data)
    try sha2?.update(data)
  }

  consuming func finish() throws(Fault) -> [NamedDigest] {
    var digests: [NamedDigest] = []
    if let value = try sha3.take()?.finish() {
      digests.append(NamedDigest(algorithm: DataDigest.sha3.rawValue, value: value))
    }
    if let value = try sha2.take()?.finish() {
      digests.append(NamedDigest(algorithm: DataDigest.sha256.rawValue, value: value))
    }
    return digests
  }
}

/// The bytes of the object at rest, and their SHA-256 when someone wants to compare it.
struct ObjectMeasure: ~Copyable {
  private(set) var bytes = UInt64(Prologue.length)
  private var digest: Digest?

  init() { digest = nil }

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
