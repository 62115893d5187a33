/// A range of bytes as a user writes it: `A-B`, `A-` or `-N`, with HTTP's meaning.
public enum ByteRange: Equatable, Sendable {
  /// `A-B`: from byte A through byte B, both counted from 0.
  case closed(first: UInt64, last: UInt64)
  /// `A-`: from byte A to the end.
  case from(UInt64)
  /// `-N`: the last N bytes.
  case last(UInt64)

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

  /// The half-open range in an object of `size` bytes, ends clamped; nil if it touches no byte.
  public func resolved(in size: UInt64) -> Range<UInt64>? {
    switch self {
    case .closed(let first, let last):
      first < size ? first..<(last < size ? last + 1 : size) : nil
    case .from(let first): first < size ? first..<size : nil
    case .last(let count): size > 0 ? (size - min(count, size))..<size : nil
    }
  }
}
