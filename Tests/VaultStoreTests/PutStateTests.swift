import Testing
import VaultFault

@testable import VaultStore

private func state() -> PutState {
  var state = PutState()
  state.items[1] = ItemProgress(order: 1, token: "t", below: StopFlag())
  return state
}

private let part = PartData(number: 1, offset: 0, bytes: ArrayBytes([1]), sha256: [])

@Test func anItemWithoutAnEndIsNeverCommitted() {
  var state = state()
  state.add(PutState.Job(order: 1, work: .part(part)))
  guard case .work(let job)? = state.nextOrder() else { return #expect(Bool(false)) }
  state.finish(job)
  #expect(state.load == 0)
  #expect(state.items[1]?.isClosing == false)
}

@Test func anItemIsUndoneOnceAndOnlyWhenNoCallIsInHand() {
  var state = state()
  state.add(PutState.Job(order: 1, work: .part(part)))
  guard case .work(let job)? = state.nextOrder() else { return #expect(Bool(false)) }
  state.fail(1, Fault(.remoteRefused, "first"))
  state.fail(1, Fault(.remoteFailed, "second"))
  #expect(state.items[1]?.stop.isRaised == true)
  #expect(state.items[1]?.fault?.reason == "first")
  #expect(state.items[1]?.isClosing == false)
  state.finish(job)
  guard case .work(let undo)? = state.nextOrder(), case .undo = undo.work else {
    return #expect(Bool(false))
  }
  state.advance(1)
  if state.nextOrder() != nil { Issue.record("undone twice") }
}

@Test func queuedPartsOfAFailedItemAreDropped() {
  var state = state()
  for _ in 0..<3 { state.add(PutState.Job(order: 1, work: .part(part))) }
  state.fail(1, Fault(.remoteRefused, "no"))
  guard case .work(let job)? = state.nextOrder(), case .undo = job.work else {
    return #expect(Bool(false))
  }
}

@Test func aCallOfTheReaderIsNotAStuckReceipt() {
  var state = state()
  state.items[1]?.pending = 1
  #expect(!state.waitsForReceiptsOnly)
  state.items[1]?.isPrinting = true
  #expect(state.waitsForReceiptsOnly)
}
