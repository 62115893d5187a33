import Testing
import VaultFault

@testable import VaultParts

private let mebibyte: UInt64 = 1 << 20
private let tebibyte: UInt64 = 1 << 40

struct PartPlanTests {
  static let table: [(UInt64, UInt64)] = [
    (0, 8), (1, 8), (8 * mebibyte, 8), (9_900 * 8 * mebibyte - 1, 8),
    (9_900 * 8 * mebibyte, 9), (tebibyte, 106), (5 * tebibyte, 530), (48 * tebibyte, 5_085),
  ]

  @Test(arguments: table)
  func aKnownSizeIsCutIntoEqualParts(bytes: UInt64, mebibytes: UInt64) throws {
    let plan = try PartPlan(expectedBytes: bytes)
    for number: UInt64 in [1, 2, 5_000, 10_000] {
      #expect(try plan.size(ofPart: number) == mebibytes * mebibyte)
    }
  }

  @Test func m02NoKnownSizeNeedsMoreThan10000Parts() throws {
    var bytes: UInt64 = 1
    while bytes < 48 * tebibyte {
      let size = try PartPlan(expectedBytes: bytes).size(ofPart: 1)
      #expect((PartPlan.smallest...PartPlan.largest).contains(size))
      // What sealing adds: a tag for each chunk, a header for each frame, the rest.
      let sealed = bytes + bytes / 1_000 + 64 << 10
      #expect((sealed + size - 1) / size <= 10_000, "\(bytes)")
      bytes += bytes / 3 + 1
    }
  }

  @Test func m02AnUnknownSizeGrowsInSteps() throws {
    let plan = try PartPlan(expectedBytes: nil)
    var total: UInt64 = 0
    var before: UInt64 = 0
    for number in UInt64(1)...10_000 {
      let size = try plan.size(ofPart: number)
      #expect(size >= before && size <= PartPlan.largest)
      if number <= 4_000 { #expect(size == 8 * mebibyte) }
      if number == 4_001 { #expect(size == 16 * mebibyte) }
      total += size
      before = size
    }
    #expect(total > 5 * tebibyte + tebibyte / 5)
  }

  @Test(arguments: [UInt64(1), 2, 10, 999, 10_000])
  func partsPastTheLastAreRefused(most: UInt64) throws {
    let plan = try PartPlan(expectedBytes: nil, maxParts: most)
    #expect(try plan.size(ofPart: most) >= PartPlan.smallest)
    #expect(throws: Fault.self) { try plan.size(ofPart: most + 1) }
  }

  static let refused: [(UInt64?, UInt64?, UInt64, FaultKind)] = [
    (nil, 5 * mebibyte - 1, 10_000, .usage), (nil, 5 << 30 + 1, 10_000, .usage),
    (nil, nil, 0, .usage), (nil, nil, 10_001, .usage),
    (100 * mebibyte, 5 * mebibyte, 19, .tooLarge), (100 * tebibyte, nil, 10_000, .tooLarge),
  ]

  @Test(arguments: refused)
  func otherPlansAreRefused(bytes: UInt64?, size: UInt64?, most: UInt64, kind: FaultKind) {
    let result = Result { () throws(Fault) in
      try PartPlan(expectedBytes: bytes, partSize: size, maxParts: most)
    }
    guard case .failure(let fault) = result else {
      Issue.record("it was taken")
      return
    }
    #expect(fault.kind == kind)
  }
}
