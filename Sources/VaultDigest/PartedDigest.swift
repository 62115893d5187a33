public import VaultFault

/// The SHA-256 of an object up to the end of each of its parts, which lie one after the other; where
/// it is wanted, that of each part by itself too.
///
/// The second costs a second pass over every byte after the first part: as long as that lasts the two
/// are one hash.
public struct PartedDigest: ~Copyable {
  private let takesParts: Bool
  private var whole: Digest
  private var part: Digest?
  private var isFirst = true

  /// What is known where a part ends.
  public struct Border: Equatable, Sendable {
    /// The SHA-256 of the object up to here, 32 bytes.
    public let object: [UInt8]
    /// That of the part that ends here, 32 bytes; nil where it is not wanted.
    public let part: [UInt8]?
  }

  /// No byte yet; the first part begins. `takingParts` says whether their own digests are wanted.
  /// - Throws: ``FaultKind/internalFault`` with the library's reason, as all of it.
  public init(takingParts: Bool) throws(Fault) {
    whole = try Digest(.sha256)
    part = nil
    takesParts = takingParts
  }

  /// Adds bytes to the object and to its present part.
  public mutating func update(_ bytes: Span<UInt8>) throws(Fault) {
    if takesParts, !isFirst, part == nil { part = try Digest(.sha256) }
    try whole.update(bytes)
    try part?.update(bytes)
  }

  /// The digests at the end of the present part; the next one begins.
  public mutating func endPart() throws(Fault) -> Border {
    let object = try whole.copy().finish()
    let own = takesParts ? try isFirst ? object : takePart() : nil
    isFirst = false
    return Border(object: object, part: own)
  }

  private mutating func takePart() throws(Fault) -> [UInt8] {
    if let digest = try part?.take() { return digest }
    return try Digest(.sha256).finish()
  }

  /// The digest of all bytes so far, 32 bytes; the object is empty again.
  public mutating func takeWhole() throws(Fault) -> [UInt8] {
    part = nil
    isFirst = true
    return try whole.take()
  }
}
