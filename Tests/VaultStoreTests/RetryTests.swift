import Synchronization
import Testing
import VaultFault
import VaultStore

private let name = ObjectName(key: "k", shown: "s3://b/k")
private let hints = ObjectHints(item: "i", token: "ours")
private let part = PartData(
  number: 1, offset: 0, bytes: ArrayBytes([1, 2, 3]), sha256: [UInt8](repeating: 0, count: 32))

/// A clock of the tests that goes on only when someone pauses.
final class FakeTime: Sendable {
  let pauses = Mutex<[UInt64]>([])
  let raises: StopFlag?

  init(raises: StopFlag? = nil) { self.raises = raises }

  var policy: RetryPolicy {
    RetryPolicy(
      random: { 0.5 }, now: { self.pauses.withLock { $0.reduce(0, +) } },
      pause: { milliseconds, _ in
        self.pauses.withLock { $0.append(milliseconds) }
        self.raises?.raise()
      })
  }
}

private func put(_ mishaps: [MemoryStore.Mishap], _ hints: ObjectHints = hints) -> (
  Result<CommitAnswer, StoreFault>, MemoryStore, [UInt64]
) {
  let store = MemoryStore(mishaps)
  let time = FakeTime()
  let retry = Retry(store, time.policy)
  let result = Result { () throws(StoreFault) in
    try retry.putWhole(part, at: name, hints, stop: StopFlag())
  }
  return (result, store, time.pauses.withLock { $0 })
}

@Test(arguments: [true, false])
func partDigestsAreNeededWhereTheStoreNeedsThem(_ areNeeded: Bool) {
  let store = MemoryStore(needsPartDigests: areNeeded)
  #expect(Retry(store, FakeTime().policy).needsPartDigests == areNeeded)
}

@Test func transientFailuresPauseLongerEachTime() throws {
  let (result, store, pauses) = put([.init(call: .putWhole, fault: .flaky, count: 3)])
  guard case .stored(_, .conditional) = try result.get() else { throw Fault(.internalFault, "no") }
  #expect(pauses == [1250, 2500, 5000])
  #expect(store.count(.putWhole) == 4)
}

@Test func fourTriesAreMadeAndTheMessageHasFirstAndLastCause() {
  let first = StoreFault(
    Fault(.remoteFailed, "500 InternalError"), .transient(retryAfterSeconds: 0))
  let (result, store, _) = put([
    .init(call: .putWhole, fault: first), .init(call: .putWhole, fault: .flaky, count: 9),
  ])
  #expect(store.count(.putWhole) == 4)
  guard case .failure(let error) = result else { return #expect(Bool(false)) }
  #expect(
    error.fault.reason
      == "gave up after 4 tries in 9 s, first: 500 InternalError, last: 503 SlowDown")
  #expect(error.fault.status == .tryAgain)
}

@Test func theRemotesWishIsHonoured() throws {
  let slow = StoreFault(Fault(.remoteFailed, "503"), .transient(retryAfterSeconds: 7))
  let endless = StoreFault(Fault(.remoteFailed, "503"), .transient(retryAfterSeconds: .max))
  #expect(put([.init(call: .putWhole, fault: slow)]).2 == [7000])
  #expect(put([.init(call: .putWhole, fault: endless)]).2 == [300_000])
}

@Test func permanentFailuresAreNotTriedAgain() {
  let (result, store, pauses) = put([.init(call: .putWhole, fault: .refused)])
  #expect(throws: StoreFault.self) { try result.get() }
  #expect(store.count(.putWhole) == 1)
  #expect(pauses.isEmpty)
}

@Test(arguments: [Remedy.refreshed, .redirected])
func whatTheStoreHasLearntIsTriedAtOnceButNotForEver(_ remedy: Remedy) throws {
  let fault = StoreFault(Fault(.remoteDenied, "skewed"), remedy)
  let (good, _, pauses) = put([.init(call: .putWhole, fault: fault)])
  _ = try good.get()
  #expect(pauses.isEmpty)
  let (bad, store, _) = put([.init(call: .putWhole, fault: fault, count: 99)])
  #expect(throws: StoreFault.self) { try bad.get() }
  #expect(store.count(.putWhole) == 4)
}

@Test func aLostAnswerIsSettledByOurToken() throws {
  let (result, store, _) = put([.init(call: .putWhole, fault: .lost, afterEffect: true)])
  guard case .stored = try result.get() else { return #expect(Bool(false)) }
  #expect(store.count(.putWhole) == 1)
}

@Test func anAnswerLostBeforeTheEffectIsTriedAgain() throws {
  let (result, store, _) = put([.init(call: .putWhole, fault: .lost)])
  guard case .stored = try result.get() else { return #expect(Bool(false)) }
  #expect(store.count(.putWhole) == 2)
}

@Test func whatCannotBeToldIsUnknown() throws {
  let denied = StoreFault(Fault(.remoteDenied, "403 AccessDenied"))
  let (result, store, _) = put([
    .init(call: .putWhole, fault: .lost, afterEffect: true), .init(call: .prove, fault: denied),
  ])
  guard case .unknown(let fault) = try result.get() else { return #expect(Bool(false)) }
  #expect(fault.kind == .remoteUnknown)
  #expect(fault.status == .tryAgain)
  #expect(store.objects.count == 1)
}

@Test func takenMeansLookedAt() throws {
  let store = MemoryStore()
  let retry = Retry(store, FakeTime().policy)
  let other = ObjectHints(item: "j", token: "other")
  _ = try store.putWhole(part, at: name, hints, stop: StopFlag())
  guard case .stored = try retry.putWhole(part, at: name, hints, stop: StopFlag()),
    case .exists = try retry.putWhole(part, at: name, other, stop: StopFlag())
  else { return #expect(Bool(false)) }
  #expect(store.objects[name]?.token == "ours")
}

@Test func aLostOverwriteIsDoneAgainWhenTheOldObjectIsThere() throws {
  let store = MemoryStore([.init(call: .putWhole, fault: .lost)])
  store.state.withLock { $0.objects[name] = .init(bytes: [9], token: "old", item: "i") }
  let hints = ObjectHints(item: "i", token: "ours", overwrite: true)
  let answer = try Retry(store, FakeTime().policy).putWhole(part, at: name, hints, stop: StopFlag())
  guard case .stored(_, nil) = answer else { return #expect(Bool(false)) }
  #expect(store.objects[name]?.token == "ours")
}

@Test func aCommitWhoseAnswerWasLostIsNotDoneTwice() throws {
  let store = MemoryStore([.init(call: .commit, fault: .lost, afterEffect: true)])
  let retry = Retry(store, FakeTime().policy)
  let upload = try retry.begin(at: name, hints, stop: StopFlag())
  let receipt = try retry.putPart(part, of: upload, hints, stop: StopFlag())
  guard case .stored = try retry.commit(upload, [receipt], hints, stop: StopFlag()) else {
    return #expect(Bool(false))
  }
  #expect(store.count(.commit) == 1)
}

@Test func aRaisedFlagEndsThePauseAndTheTries() {
  let stop = StopFlag()
  let store = MemoryStore([.init(call: .putWhole, fault: .flaky, count: 9)])
  let retry = Retry(store, FakeTime(raises: stop).policy)
  #expect {
    try retry.putWhole(part, at: name, hints, stop: stop)
  } throws: {
    ($0 as? StoreFault)?.fault.kind == .cancelled
  }
  #expect(store.count(.putWhole) == 1)
}

@Test func afterCancelALostAnswerIsStillSettled() throws {
  let stop = StopFlag()
  let store = MemoryStore([.init(call: .putWhole, fault: .lost, afterEffect: true)]) { call, _ in
    if call == .prove { stop.raise() }
  }
  let retry = Retry(store, FakeTime().policy)
  guard case .stored = try retry.putWhole(part, at: name, hints, stop: stop) else {
    return #expect(Bool(false))
  }
  #expect(store.objects.count == 1)
}
