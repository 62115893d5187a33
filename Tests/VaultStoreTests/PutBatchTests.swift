import Synchronization
import Testing
import VaultDigest
import VaultFault
import VaultFrame
import VaultIO
import VaultRecord
import VaultText

@testable import VaultStore

func itemsOfABatch(_ sizes: [Int], partSize: Int = 1 << 20) throws -> [TestItem] {
  try sizes.map { size in
    var item = try TestItem(dataBytes: size)
    item.partSize = partSize
    return item
  }
}

@Test func everyItemOfABatchHasOneReceipt() throws {
  var batch = try itemsOfABatch((0..<60).map { $0 * 700 }, partSize: 9000)
  for place in batch.indices {
    var label = Label(item: batch[place].id)
    label.row = Array("{\"id\": \(place).0,\"name\":\"private\"}".utf8)
    batch[place].label = label
  }
  batch[7].abort = AbortOrigin(stage: "vault-get", exit: 69, name: "missing-object")
  batch[20].spoil = { $0.chunks += 1 }
  batch[33].object[100] ^= 0xff
  batch[33].summaryOverride = try TestItem(dataBytes: 1).summary()
  let taken = name(batch[40])
  let store = MemoryStore([.init(call: .putPart, fault: .flaky, count: 3)])
  store.state.withLock { $0.objects[taken] = .init(bytes: [], token: "", item: "") }
  let notices = Mutex(0)
  let run = try PutRun(stream(batch, batch: true), into: store) { settings in
    settings.notice = { _ in notices.withLock { $0 += 1 } }
  }
  #expect(run.receipts.count == 60)
  #expect(run.fault?.status == .incomplete, "the first bad item in input order")
  #expect(notices.withLock { $0 } == 4)
  let bad = [7: Receipt.Status.incomplete, 20: .failed, 33: .failed, 40: .exists]
  for (place, item) in batch.enumerated() {
    let row = Array("{\"id\": \(place).0}".utf8)
    let receipt = try #require(run.receipts.first { $0.row == row })
    #expect(receipt.item == item.id.text)
    #expect(receipt.status == bad[place] ?? .stored, "\(place)")
    if bad[place] == nil { #expect(store.objects[name(item)]?.bytes == item.object) }
  }
  #expect(store.openUploads == 0)
  #expect(store.objects.count == 57)
}

@Test func aCutBatchKeepsItsWholeItemsAndIsIncomplete() throws {
  let batch = try itemsOfABatch([10, 20_000, 30], partSize: 8000)
  let whole = try stream(batch, batch: true)
  for cut in [8, 9, 24, whole.count - 49, whole.count - 48, whole.count - 1] {
    let store = MemoryStore()
    let run = try PutRun(Array(whole[..<cut]), into: store)
    #expect(run.fault?.status == .incomplete)
    #expect(run.receipts.count == (cut < 16 ? 0 : cut < 48 ? 1 : 3))
    #expect(run.receipts.count { $0.status == .stored } == store.objects.count)
    #expect(store.openUploads == 0)
  }
}

@Test func partsOfSeveralItemsAreStoredAtOnce() throws {
  let most = Mutex((now: 0, most: 0))
  let store = MemoryStore { call, _ in
    guard call == .putWhole else { return }
    most.withLock { most in
      most.now += 1
      most.most = max(most.most, most.now)
    }
    Clock.sleep(milliseconds: 20)
    most.withLock { $0.now -= 1 }
  }
  let run = try PutRun(
    stream(itemsOfABatch([Int](repeating: 100, count: 16)), batch: true), into: store)
  #expect(run.fault == nil)
  #expect(most.withLock { $0.most } == 4)
}

@Test func aMixOfSizesNeverDeadlocksAndStaysInItsMemory() throws {
  var sizes = [Int](repeating: 1024, count: 60)
  sizes.insert(9 << 20, at: 0)
  sizes.insert(9 << 20, at: 30)
  sizes.append(9 << 20)
  let batch = try itemsOfABatch(sizes, partSize: 2 << 20)
  let store = MemoryStore { _, _ in Clock.sleep(milliseconds: 2) }
  let run = try PutRun(stream(batch, batch: true), into: store) { settings in
    settings.jobs = 8
    settings.memory = 3 << 20
  }
  #expect(run.fault == nil)
  #expect(run.peak <= 3 << 20)
  #expect(run.receipts.count == 63)
  for item in batch { #expect(store.objects[name(item)]?.bytes == item.object) }
}

@Test(arguments: [0, 1, 5000, 1 << 20])
func whatDoesNotFitIntoMemoryIsSpilled(_ memory: Int) throws {
  let batch = try itemsOfABatch([3 << 20, 100, 2 << 20], partSize: 700_000)
  let store = MemoryStore()
  let run = try PutRun(stream(batch, batch: true), into: store) { $0.memory = memory }
  #expect(run.fault == nil)
  #expect(run.peak <= memory)
  for item in batch { #expect(store.objects[name(item)]?.bytes == item.object) }
}

@Test func aTargetThatLeavesTheDestinationIsAFailedReceipt() throws {
  let targets = ["ok/a", "..", "a/../../b", "/etc/x", "a//b", "x\u{0}y", "./a", "a/", "ok/b"]
  let directory = try TestDirectory()
  var batch = try itemsOfABatch([Int](repeating: 5, count: targets.count))
  for (place, target) in targets.enumerated() {
    var label = Label(item: batch[place].id)
    if !target.utf8.contains(0) { label.target = Array(target.utf8) }
    batch[place].label = label
  }
  let run = try PutRun(
    stream(batch, batch: true), into: DirectoryStore(), at: directory.path + "/in/{target}")
  #expect(run.receipts.count == targets.count)
  #expect(run.receipts.count { $0.status == .stored } == 2)
  #expect(
    run.receipts.filter { $0.status == .failed }.allSatisfy { $0.error?.name == "bad-target" })
  #expect(run.fault?.status == .cannotCreate)
}

@Test func aSecondPutOfTheSameObjectStoresNothing() throws {
  let directory = try TestDirectory()
  for dataBytes in [10, 2 << 20] {
    let input = try stream(itemsOfABatch([dataBytes], partSize: 500_000))
    let store = DirectoryStore()
    let out = directory.path + "/{item}"
    #expect(try PutRun(input, into: store, at: out).only.status == .stored)
    let second = try PutRun(input, into: store, at: out)
    #expect(try second.only.status == .exists)
    #expect(second.fault?.status == .cannotCreate)
    #expect(try PutRun(input, into: store, at: out) { $0.overwrite = true }.only.status == .stored)
  }
}

@Test func itemsThatEndedBeforeACutAreStoredHoweverSlowly() throws {
  let batch = try itemsOfABatch([90_000, 10], partSize: 20_000)
  let whole = try stream(batch, batch: true)
  let first = try stream([batch[0]], batch: true).count - 48
  let store = MemoryStore { call, _ in
    if call == .putPart { Clock.sleep(milliseconds: 15) }
  }
  let run = try PutRun(Array(whole[..<(first + 8)]), into: store)
  #expect(run.fault?.status == .incomplete)
  #expect(
    run.receipts.map(\.status).sorted { $0.rawValue < $1.rawValue } == [.incomplete, .stored])
  #expect(store.objects[name(batch[0])]?.bytes == batch[0].object)
}
