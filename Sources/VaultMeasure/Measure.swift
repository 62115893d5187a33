internal import VaultDigest
internal import VaultFault
internal import VaultFrame

/// The measures of an original as its bytes go by: size and digests, held against the limits.
struct Measure: ~Copyable {
  private let limits: OriginalLimits
  private let alsoSHA256: Bool
  private var sha3: Digest
  private var sha2: Digest?
  private(set) var bytes: UInt64 = 0

  init(_ options: MeasureOptions, _ label: Label) throws(Fault) {
    let sha3 = try Digest(.sha3_256)
    sha2 = options.alsoSHA256 ? try Digest(.sha256) : nil
    self.sha3 = sha3
    limits = options.limits.adding(label)
    alsoSHA256 = options.alsoSHA256
  }

  mutating func add(_ data: Span<UInt8>) throws(Fault) {
    bytes += UInt64(data.count)
    try limits.check(soFar: bytes)
    try sha3.update(data)
    try sha2?.update(data)
  }

  /// The digests, SHA3-256 first; throws what the limits say.
  consuming func finish() throws(Fault) -> [NamedDigest] {
    let bytes = bytes
    let limits = limits
    let other = try sha2.take()?.finish()
    let value = try sha3.finish()
    try limits.check(bytes: bytes, sha3: value)
    var digests = [NamedDigest(algorithm: DigestAlgorithm.sha3_256.rawValue, value: value)]
    if let other {
      digests.append(NamedDigest(algorithm: DigestAlgorithm.sha256.rawValue, value: other))
    }
    return digests
  }
}

/// What the caller of `vault-hash` asks for.
public struct MeasureOptions: Equatable, Sendable {
  /// What the original must be.
  public var limits = OriginalLimits()
  /// Take SHA-256 too.
  public var alsoSHA256 = false

  /// SHA3-256 only, no limit.
  public init() {}
}
