import Testing
import VaultDigest
import VaultFault

struct PartedDigestTests {
  /// Parts by their lengths, and how they are pushed.
  @Test(
    arguments: [
      [0], [1], [64], [5_000], [5_000, 1], [1, 5_000], [64, 64, 64], [0, 3], [3, 0, 0, 2],
      [1_000, 2_000, 3_000, 4_000],
    ], [1_000_000, 1, 63])
  func bordersAreWhatTheirBytesAreAlone(lengths: [Int], step: Int) throws {
    let whole = (0..<lengths.reduce(0, +)).map { UInt8(truncatingIfNeeded: $0 * 31) }
    for takesParts in [true, false] {
      var digest = try PartedDigest(takingParts: takesParts)
      for _ in 1...2 { try check(&digest, whole, lengths, step, takesParts) }
    }
  }

  private func check(
    _ digest: inout PartedDigest, _ whole: [UInt8], _ lengths: [Int], _ step: Int,
    _ takesParts: Bool
  ) throws {
    var from = 0
    for length in lengths {
      let part = whole.span.extracting(from..<from + length)
      for at in stride(from: 0, to: length, by: step) {
        try digest.update(part.extracting(at..<min(at + step, length)))
      }
      from += length
      let border = try digest.endPart()
      #expect(border.object == (try Digest.of(whole.span.extracting(0..<from), .sha256)))
      #expect(border.part == (takesParts ? try Digest.of(part, .sha256) : nil))
    }
    let found = try digest.takeWhole()
    #expect(try found == Digest.of(whole.span, .sha256))
  }

  @Test(arguments: DigestAlgorithm.allCases)
  func aCopyGoesOnByItself(algorithm: DigestAlgorithm) throws {
    let (one, two): ([UInt8], [UInt8]) = ([1, 2, 3], [4])
    var digest = try Digest(algorithm)
    try digest.update(one.span)
    var copy = try digest.copy()
    try copy.update(two.span)
    let both = one + two
    #expect(try copy.finish() == Digest.of(both.span, algorithm))
    #expect(try digest.finish() == Digest.of(one.span, algorithm))
  }
}
