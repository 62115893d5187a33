/// The three numbers of an end frame (FORMAT 4.2).
///
/// Nothing is decided by them: a reader compares them with what it counted.
public struct EndCounts: Equatable, Sendable {
  /// Data bytes; in the end of a batch: items begun.
  public var first: UInt64
  /// Body frames; in the end of a batch: items that ended well.
  public var second: UInt64
  /// Offset of the manifest in the object; in the end of a batch: items aborted.
  public var third: UInt64

  /// Takes the three numbers in their order.
  public init(_ first: UInt64 = 0, _ second: UInt64 = 0, _ third: UInt64 = 0) {
    self.first = first
    self.second = second
    self.third = third
  }

  /// Reads the payload of an end frame, 24 bytes.
  public init(parsing payload: Span<UInt8>) {
    first = payload.bigEndian(at: 0, bytes: 8)
    second = payload.bigEndian(at: 8, bytes: 8)
    third = payload.bigEndian(at: 16, bytes: 8)
  }

  /// The payload.
  public var bytes: [UInt8] {
    bigEndian(first, bytes: 8) + bigEndian(second, bytes: 8) + bigEndian(third, bytes: 8)
  }
}
