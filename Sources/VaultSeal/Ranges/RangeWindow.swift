internal import VaultFault
internal import VaultFrame

/// Cuts a range out of data that comes in order and whose length shows only at its end.
struct RangeWindow {
  /// The most bytes that `-N` may ask for here: they wait in memory until the end has come.
  static let maxSuffix: UInt64 = 1 << 20

  private let range: ByteRange
  private var position: UInt64 = 0
  private var suffix: [UInt8] = []

  /// Throws `usage` for more last bytes than ``maxSuffix``.
  init(_ range: ByteRange) throws(Fault) {
    if case .last(let count) = range, count > RangeWindow.maxSuffix {
      throw Fault(
        .usage, "the last \(count) bytes of a sealed stream are more than fit into memory",
        hint: "name the object as a file, or give the range as A- or A-B")
    }
    self.range = range
    if case .last(let count) = range { suffix.reserveCapacity(Int(count)) }
  }

  /// Takes the next data, and returns which of it is in the range.
  mutating func accept(_ data: Span<UInt8>) -> Range<Int> {
    let start = position
    position += UInt64(data.count)
    if case .last(let count) = range {
      keep(data, Int(count))
      return 0..<0
    }
    guard let wanted = range.resolved(in: position) else { return 0..<0 }
    let part = wanted.clamped(to: start..<position)
    return Int(part.lowerBound - start)..<Int(part.upperBound - start)
  }

  /// The data has ended: returns what of the range has not been written; throws `bad-range`.
  func finish() throws(Fault) -> [UInt8] {
    _ = try range.located(in: position)
    return suffix
  }

  private mutating func keep(_ data: Span<UInt8>, _ count: Int) {
    let part = data.extracting(max(0, data.count - count)..<data.count)
    let surplus = suffix.count + part.count - count
    if surplus > 0 { suffix.removeFirst(surplus) }
    unsafe part.withUnsafeBytes { unsafe suffix.append(contentsOf: $0) }
  }
}
