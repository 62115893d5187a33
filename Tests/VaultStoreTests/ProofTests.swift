import Testing
import VaultRecord

@testable import VaultStore

private struct ProofCase: Sendable {
  var choice: ProofChoice
  var repeats: Bool
  var size = 1000
  var looks: Int
  var proof: Receipt.Evidence
}

// An answer that repeats the SHA-256 spares the look; anything less does not.
@Test(arguments: [
  ProofCase(choice: .response, repeats: true, looks: 0, proof: .response),
  ProofCase(choice: .response, repeats: false, looks: 1, proof: .head),
  ProofCase(choice: .head, repeats: true, looks: 1, proof: .head),
  ProofCase(choice: .response, repeats: true, size: 5 << 20, looks: 1, proof: .head),
])
private func anAnswerWithTheDigestMayBeTheProof(_ known: ProofCase) throws {
  var item = try TestItem(dataBytes: known.size)
  item.partSize = 1 << 20
  let store = MemoryStore(repeatsDigest: known.repeats)
  let run = try PutRun(stream([item]), into: store) { $0.proof = known.choice }
  #expect(run.fault == nil)
  #expect(try run.only.status == .stored)
  #expect(try run.only.proof == known.proof)
  #expect(store.count(.prove) == known.looks)
}

// A lost answer is settled by a look, whatever the choice.
@Test func aLostAnswerIsLookedAtAlsoWhereAnswersAreProof() throws {
  let item = try TestItem(dataBytes: 1000)
  let store = MemoryStore(
    [.init(call: .putWhole, fault: .lost, afterEffect: true)], repeatsDigest: true)
  let run = try PutRun(stream([item]), into: store) { $0.proof = .response }
  #expect(run.fault == nil)
  #expect(try run.only.proof == .head)
  #expect(store.count(.prove) == 2)
}
