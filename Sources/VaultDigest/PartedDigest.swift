public import VaultFault

/// The SHA-256 of an object and of each of its parts, which lie one after the other.
///
/// While the first part lasts the two are one hash: an object of one part is hashed once.
public struct PartedDigest: ~Copyable {
  private var whole: Digest
  private var part: Digest?
  private var isFirst = true

  /// No byte yet; the first part begins.
  /// - Throws: ``FaultKind/internalFault`` with the library's reason, as all of it.
  public init() throws(Fault) {
    whole = try Digest(.sha256)
    part = nil
  }

  /// Adds bytes to the object and to its present part.
  public mutating func update(_ bytes: Span<UInt8>) throws(Fault) {
    if !isFirst, part == nil { part = try Digest(.sha256) }
    try whole.update(bytes)
    try part?.update(bytes)
  }

  /// The digest of the part that ends here, 32 bytes; the next one begins.
  public mutating func endPart() throws(Fault) -> [UInt8] {
    if isFirst {
      isFirst = false
      return try whole.copy().finish()
    }
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
