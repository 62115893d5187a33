public import VaultFault

/// A range of an item's data, with HTTP's meaning (FORMAT 10.1, RFC 9110 14.1.2).
public enum ByteRange: Equatable, Sendable {
  /// `A-B`: from byte A through byte B, both counted from 0.
  case closed(first: UInt64, last: UInt64)
  /// `A-`: from byte A to the end.
  case from(UInt64)
  /// `-N`: the last N bytes.
  case last(UInt64)
  /// No byte: a slice of it has what proves the length and nothing else. Users cannot write it.
  case nothing

  /// Reads the three forms; nil for anything else, for A > B, and for `-0`.
  public init?(_ text: String) {
    let halves = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    switch (decimal(halves[0]), decimal(halves[1]), halves[0].isEmpty, halves[1].isEmpty) {
    case (let first?, let last?, _, _) where first <= last: self = .closed(first: first, last: last)
    case (let first?, _, _, true): self = .from(first)
    case (_, let count?, true, _) where count > 0: self = .last(count)
    default: return nil
    }
  }

  /// The half-open range in `size` bytes of data, ends clamped; nil when it cannot be satisfied.
  ///
  /// `-N` can always be satisfied: of empty data it is all of it, so no byte.
  public func resolved(in size: UInt64) -> Range<UInt64>? {
    switch self {
    case .closed(let first, let last):
      first < size ? first..<(last < size ? last + 1 : size) : nil
    case .from(let first): first < size ? first..<size : nil
    case .last(let count): (size - min(count, size))..<size
    case .nothing: 0..<0
    }
  }

  /// The same; throws `bad-range` when it cannot be satisfied.
  public func located(in size: UInt64) throws(Fault) -> Range<UInt64> {
    if let range = resolved(in: size) { return range }
    throw Fault(
      .badRange,
      size == 0
        ? "the range has no byte: the item is empty"
        : "the range begins past the end: the item has \(size) bytes")
  }
}

private func decimal(_ digits: Substring) -> UInt64? {
  digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(digits) : nil
}
