internal import VaultDigest
internal import VaultFault
public import VaultFrame

/// The measures of an original as its bytes go by: size and digests, held against the limits.
struct Measure: ~Copyable {
  private let limits: OriginalLimits
  private var sha3: Digest?
  private var sha2: Digest?
  private(set) var bytes: UInt64 = 0

  init(_ options: MeasureOptions, _ label: Label) throws(Fault) {
    let limits = options.limits.adding(label)
    // What must come can only be compared with what is taken.
    let takesSHA3 = options.digests.contains(.sha3) || limits.expectedSHA3 != nil
    let sha3 = takesSHA3 ? try Digest(.sha3_256) : nil
    sha2 = options.digests.contains(.sha256) ? try Digest(.sha256) : nil
    self.sha3 = sha3
    self.limits = limits
  }

  mutating func add(_ data: Span<UInt8>) throws(Fault) {
    bytes += UInt64(data.count)
    try limits.check(soFar: bytes)
    try sha3?.update(data)
    try sha2?.update(data)
  }

  /// The digests, SHA3-256 first; throws what the limits say.
  consuming func finish() throws(Fault) -> [NamedDigest] {
    let bytes = bytes
    let limits = limits
    let sha256 = try sha2.take()?.finish()
    let sha3 = try sha3.take()?.finish()
    try limits.check(bytes: bytes, sha3: sha3)
    var digests: [NamedDigest] = []
    if let sha3 { digests.append(NamedDigest(algorithm: DataDigest.sha3.rawValue, value: sha3)) }
    if let sha256 {
      digests.append(NamedDigest(algorithm: DataDigest.sha256.rawValue, value: sha256))
    }
    return digests
  }
}

/// What the caller of `vault-hash` asks for.
public struct MeasureOptions: Equatable, Sendable {
  /// What the original must be.
  public var limits = OriginalLimits()
  /// The digests to take, one or both. SHA3-256 is taken too where the limits or the label of the
  /// item say which one must come.
  public var digests: Set<DataDigest> = [.sha3]

  /// SHA3-256 only, no limit.
  public init() {}
}
