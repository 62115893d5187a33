/// How the rest of an object is cut into pieces.
struct PiecePlan: Sendable {
  /// The first byte of the first piece, and the end of the last one.
  let bounds: Range<UInt64>
  /// The bytes of each piece but the last, which may be shorter.
  let length: UInt64

  /// How many pieces there are.
  var count: UInt64 {
    let bytes = bounds.upperBound - bounds.lowerBound
    return bytes / length + (bytes % length == 0 ? 0 : 1)
  }

  /// The bytes of a piece that there is.
  func range(of number: UInt64) -> Range<UInt64> {
    let first = bounds.lowerBound + number * length
    return first..<first + min(length, bounds.upperBound - first)
  }
}
