public import VaultFault

/// How large each part of an upload is (docs/DESIGN.md, parts). Pure.
///
/// A known size is cut into equal parts of at least 8 MiB, about 9,900 at most. An unknown size
/// begins with parts of 8 MiB and doubles them in steps past 4,000 parts, which reaches 5.2 TiB within 10,000.
public struct PartPlan: Equatable, Sendable {
  /// The smallest part that a store takes, but for the last one: 5 MiB.
  public static let smallest: UInt64 = 5 << 20
  /// The largest part that a store takes: 5 GiB.
  public static let largest: UInt64 = 5 << 30
  /// The most parts that a store takes.
  public static let mostParts: UInt64 = 10_000
  private static let usual: UInt64 = 8 << 20

  /// The most parts of this upload.
  public let maxParts: UInt64
  private let base: UInt64
  private let isFixed: Bool

  /// A plan for an object of about `expectedBytes` bytes, if that is known, in parts of `partSize`
  /// bytes, if that is asked for.
  ///
  /// Throws `usage` for a size or a count that no store takes, `too-large` when the object cannot fit.
  public init(
    expectedBytes: UInt64?, partSize: UInt64? = nil, maxParts: UInt64 = mostParts
  ) throws(Fault) {
    guard (1...PartPlan.mostParts).contains(maxParts) else {
      throw Fault(.usage, "the number of parts must be 1 to 10000")
    }
    self.maxParts = maxParts
    if let partSize {
      guard (PartPlan.smallest...PartPlan.largest).contains(partSize) else {
        throw Fault(.usage, "the part size must be 5 MiB to 5 GiB")
      }
      (base, isFixed) = (partSize, true)
    } else if let expectedBytes {
      (base, isFixed) = (PartPlan.size(for: expectedBytes, maxParts: maxParts), true)
    } else {
      (base, isFixed) = (PartPlan.usual, false)
    }
    try refuseIfTooLarge(expectedBytes)
  }

  /// The bytes of part `number`, from 1; only the last part of an object has fewer.
  ///
  /// Throws `too-large` past the last part.
  public func size(ofPart number: UInt64) throws(Fault) -> UInt64 {
    guard number <= maxParts else {
      throw Fault(.tooLarge, "the object does not fit into \(maxParts) parts")
    }
    guard !isFixed else { return base }
    let firstDoubled = maxParts * 2 / 5
    let step = max(1, maxParts * 667 / PartPlan.mostParts)
    let doublings = number > firstDoubled ? (number - firstDoubled - 1) / step + 1 : 0
    return min(base << min(doublings, 9), PartPlan.largest)
  }

  // A hundredth is left free: the sealed object is a little longer than its data.
  private static func size(for bytes: UInt64, maxParts: UInt64) -> UInt64 {
    let parts = max(1, maxParts * 99 / 100)
    let mebibytes = bytes / parts / (1 << 20) + 1
    return max(usual, min(mebibytes << 20, largest))
  }

  private func refuseIfTooLarge(_ expectedBytes: UInt64?) throws(Fault) {
    guard let expectedBytes, isFixed, expectedBytes / base >= maxParts else { return }
    guard expectedBytes > base * maxParts else { return }
    throw Fault(.tooLarge, "the object does not fit into \(maxParts) parts")
  }
}
