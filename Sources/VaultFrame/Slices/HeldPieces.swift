/// The first and the last bytes of an object that have come, so that none is fetched twice.
struct HeldPieces {
  /// The object's first bytes.
  private(set) var first: [UInt8] = []
  private var second: [UInt8] = []
  private var secondStart = UInt64.max

  private var firstEnd: UInt64 { UInt64(first.count) }

  /// Adds bytes to the piece that was begun last.
  mutating func append(_ bytes: Span<UInt8>) {
    if secondStart == .max {
      first.append(copying: bytes)
    } else {
      second.append(copying: bytes)
    }
  }

  /// Begins the last bytes at `offset`, or where the first ones end; returns where.
  mutating func beginSecond(at offset: UInt64) -> UInt64 {
    secondStart = max(offset, firstEnd)
    return secondStart
  }

  /// The bytes in `range`, which are all at hand.
  func bytes(in range: Range<UInt64>) -> [UInt8] { before(range) + after(range) }

  /// The bytes of `range` that are in the first piece.
  func before(_ range: Range<UInt64>) -> [UInt8] {
    let part = range.clamped(to: 0..<firstEnd)
    return Array(first[Int(part.lowerBound)..<Int(part.upperBound)])
  }

  /// The bytes of `range` that are in the last piece.
  func after(_ range: Range<UInt64>) -> [UInt8] {
    let part = range.clamped(to: secondStart..<secondStart + UInt64(second.count))
    return Array(second[Int(part.lowerBound - secondStart)..<Int(part.upperBound - secondStart)])
  }

  /// What of `range` is in neither.
  func missing(of range: Range<UInt64>) -> Range<UInt64> {
    let start = min(max(range.lowerBound, firstEnd), range.upperBound)
    return start..<max(start, min(range.upperBound, secondStart))
  }
}

extension [UInt8] {
  fileprivate mutating func append(copying bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
