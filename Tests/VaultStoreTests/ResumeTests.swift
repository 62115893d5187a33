import Synchronization
import Testing
import VaultFault
import VaultFrame
import VaultIO
import VaultRecord

@testable import VaultStore

private struct Attempts {
  let directory: TestDirectory
  let item: TestItem
  let store: MemoryStore
  var state: Path { Path(directory.path + "/state") }

  init(dataBytes: Int = 2 << 20, needsPartDigests: Bool = true) throws {
    store = MemoryStore(needsPartDigests: needsPartDigests)
    directory = try TestDirectory()
    var item = try TestItem(dataBytes: dataBytes)
    item.partSize = 300_000
    self.item = item
  }

  func run(
    _ item: TestItem? = nil, _ mishaps: [MemoryStore.Mishap] = [], into other: (any Store)? = nil,
    at destination: String = "s3://b/{item}"
  ) throws -> PutRun {
    store.state.withLock { state in
      state.mishaps = mishaps
      state.calls = []
    }
    return try PutRun(
      stream([item ?? self.item]), into: other ?? store, at: destination,
      state: ResumeState(state))
  }
}

@Test func onlyWhatIsMissingIsSentAgain() throws {
  let attempts = try Attempts()
  let first = try attempts.run(nil, [.init(call: .putPart, fault: .flaky, count: 99, part: 5)])
  #expect(first.fault?.status == .tryAgain)
  #expect(try first.only.status == .failed)
  #expect(attempts.store.openUploads == 1)
  let held = attempts.store.state.withLock { $0.uploads.values.first?.count ?? 0 }
  let second = try attempts.run()
  #expect(second.fault == nil)
  let receipt = try second.only
  #expect(receipt.status == .stored)
  #expect(attempts.store.count(.begin) == 0)
  #expect(attempts.store.count(.putPart) == Int(receipt.parts ?? 0) - held)
  #expect(held > 0)
  #expect(attempts.store.objects[name(attempts.item)]?.bytes == attempts.item.object)
  #expect(attempts.store.openUploads == 0)
}

@Test func aPartThatTheStoreDoesNotListIsSentAgain() throws {
  let attempts = try Attempts()
  _ = try attempts.run(nil, [.init(call: .commit, fault: .flaky, count: 99)])
  attempts.store.state.withLock { state in
    for upload in state.uploads.keys { state.uploads[upload]?[3] = nil }
  }
  let second = try attempts.run()
  #expect(second.fault == nil)
  #expect(attempts.store.count(.putPart) == 1)
  #expect(attempts.store.objects[name(attempts.item)]?.bytes == attempts.item.object)
}

@Test func withoutTheirDigestsAllPartsAreSentAgain() throws {
  let attempts = try Attempts(needsPartDigests: false)
  _ = try attempts.run(nil, [.init(call: .putPart, fault: .flaky, count: 99, part: 5)])
  #expect(attempts.store.openUploads == 1)
  var other = attempts.item
  other.object[400_000] ^= 1
  let second = try attempts.run(other)
  #expect(second.fault == nil)
  #expect(try attempts.store.count(.putPart) == Int(second.only.parts ?? 0))
  #expect(attempts.store.objects[name(other)]?.bytes == other.object)
}

@Test func otherBytesAreRefused() throws {
  let attempts = try Attempts()
  _ = try attempts.run(nil, [.init(call: .putPart, fault: .flaky, count: 99, part: 5)])
  var other = try TestItem(dataBytes: 2 << 20)
  other.partSize = 300_000
  let second = try attempts.run(other)
  #expect(second.fault?.kind == .otherObject)
  #expect(second.fault?.status == .badInput)
  #expect(attempts.store.objects.isEmpty)
}

@Test func theSameItemWithOtherBytesIsRefused() throws {
  let attempts = try Attempts()
  _ = try attempts.run(nil, [.init(call: .putPart, fault: .flaky, count: 99, part: 5)])
  var other = attempts.item
  other.object[400_000] ^= 1
  let second = try attempts.run(other)
  #expect(second.fault?.kind == .otherObject)
  #expect(attempts.store.objects.isEmpty)
}

@Test(arguments: [10, 2 << 20])
func whatIsStoredAlreadyIsProvenAndNotSent(_ dataBytes: Int) throws {
  let attempts = try Attempts(dataBytes: dataBytes)
  let first = try attempts.run()
  let second = try attempts.run()
  #expect(second.fault == nil)
  var expected = try first.only
  let receipt = try second.only
  expected.create = nil
  expected.etag = receipt.etag
  expected.storedAt = receipt.storedAt
  #expect(receipt == expected)
  #expect(attempts.store.count(.putPart) + attempts.store.count(.putWhole) == 0)
}

@Test func anUploadThatIsGoneIsBegunAgain() throws {
  let attempts = try Attempts()
  _ = try attempts.run(nil, [.init(call: .putPart, fault: .flaky, count: 99, part: 5)])
  attempts.store.state.withLock { $0.uploads = [:] }
  #expect(try attempts.run().fault == nil)
  #expect(attempts.store.objects[name(attempts.item)]?.bytes == attempts.item.object)
}

@Test func aStoreThatKeepsNoPartsBeginsAgain() throws {
  let attempts = try Attempts()
  let out = attempts.directory.path + "/{item}"
  var cut = attempts.item
  cut.abort = AbortOrigin(stage: "vault-chunk", exit: 74, name: "read-failed")
  let first = try attempts.run(cut, into: DirectoryStore(), at: out)
  #expect(first.fault?.status == .incomplete)
  let second = try attempts.run(into: DirectoryStore(), at: out)
  #expect(second.fault == nil)
  #expect(try second.only.status == .stored)
}

@Test func aRefusalIsNotKeptOpen() throws {
  let attempts = try Attempts()
  let run = try attempts.run(nil, [.init(call: .putPart, fault: .refused, part: 5)])
  #expect(run.fault?.status == .refused)
  #expect(attempts.store.openUploads == 0)
}
