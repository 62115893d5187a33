import Testing

@testable import VaultFrame

struct MutationTests {
  static let seeds = [
    stream("p"), stream("s"), stream("c"),
    batch("p", [Items.plain, frame("X", abortText), Items.plain], aborted: 1),
    batch("s", [Items.labelled, Items.sealed]), batch("c", [Items.parts]),
  ]

  @Test(arguments: seeds.indices)
  func mutatedStreamsEndInAnOutcomeThatNoSplitChanges(seed: Int) {
    var random = SplitMix(state: UInt64(seed))
    for _ in 0..<1_500 {
      let bytes = mutated(Self.seeds[seed], &random)
      let whole = read(bytes)
      #expect(read(bytes, piece: 5) == whole)
      for kept in [0, 56, .max >> 1] {
        #expect(read(bytes, piece: 700, keeping: kept) == whole.keeping(kept))
      }
      if bytes == Self.seeds[seed] { #expect(whole.result == "ok") }
    }
  }
}
