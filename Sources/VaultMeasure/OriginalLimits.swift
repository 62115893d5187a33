internal import VaultFault
internal import VaultFrame
internal import VaultText

/// What the caller says an original must be; any difference aborts the item.
public struct OriginalLimits: Equatable, Sendable {
  /// The most bytes.
  public var maxBytes: UInt64?
  /// Refuse an original without a byte.
  public var refusesEmpty = false
  /// Exactly so many bytes.
  public var expectedBytes: UInt64?
  /// Exactly this SHA3-256, 32 bytes.
  public var expectedSHA3: [UInt8]?

  /// No limit.
  public init() {}

  /// These limits and those of a row, which its label carries.
  func adding(_ label: Label) -> OriginalLimits {
    var limits = self
    if limits.expectedBytes == nil { limits.expectedBytes = label.bytes }
    if limits.expectedSHA3 == nil { limits.expectedSHA3 = label.sha3 }
    return limits
  }

  /// Throws `too-large` as soon as `bytes` is past the limit.
  func check(soFar bytes: UInt64) throws(Fault) {
    if let maxBytes, bytes > maxBytes {
      throw Fault(.tooLarge, "the input has more than \(maxBytes) bytes")
    }
    if let expectedBytes, bytes > expectedBytes {
      throw Fault(.sizeMismatch, "the input has more than the \(expectedBytes) bytes expected")
    }
  }

  /// Throws `empty-refused`, `size-mismatch` or `digest-mismatch` at the end of the original; the
  /// SHA3-256 was taken if one is expected.
  func check(bytes: UInt64, sha3: [UInt8]?) throws(Fault) {
    if refusesEmpty, bytes == 0 { throw Fault(.emptyRefused, "the input is empty") }
    if let expectedBytes, bytes != expectedBytes {
      throw Fault(.sizeMismatch, "the input has \(bytes) bytes, \(expectedBytes) are expected")
    }
    if let expectedSHA3, expectedSHA3 != sha3 {
      throw Fault(
        .digestMismatch, "the SHA3-256 of the input is \(hex(sha3 ?? [])), not the expected one")
    }
  }
}
