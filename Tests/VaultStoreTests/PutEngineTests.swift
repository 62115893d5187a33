import Synchronization
import Testing
import VaultDigest
import VaultFault
import VaultFrame
import VaultIO
import VaultRecord
import VaultText

@testable import VaultStore

@Test(arguments: [1, 17, 4096, 1 << 20])
func onePartIsOnePut(_ step: Int) throws {
  let item = try TestItem(dataBytes: 1000)
  let store = MemoryStore()
  let run = try PutRun(stream([item]), into: store, step: step)
  #expect(run.fault == nil)
  let receipt = try run.only
  #expect(receipt.status == .stored)
  #expect(receipt.item == item.id.text)
  #expect(receipt.object == "s3://b/\(item.id.text)")
  #expect(receipt.parts == 1)
  #expect(receipt.proof == .head)
  #expect(receipt.create == "conditional")
  #expect(receipt.dataBytes == 1000)
  #expect(receipt.sha256 == hex(try Digest.of(item.object.span, .sha256)))
  #expect(receipt.partsSHA256 == nil)
  #expect(receipt.token == store.objects[name(item)]?.token)
  #expect(receipt.envelope?.hasPrefix("vault-envelope/1\n") == true)
  #expect(store.objects[name(item)]?.bytes == item.object)
  #expect(store.count(.begin) == 0)
}

@Test func morePartsAreOneUpload() throws {
  var item = try TestItem(dataBytes: 5 << 20)
  item.partSize = 600_000
  let store = MemoryStore()
  let run = try PutRun(stream([item]), into: store)
  #expect(run.fault == nil)
  let receipt = try run.only
  #expect(receipt.status == .stored)
  #expect(receipt.parts == 9)
  #expect(receipt.partsSHA256?.hasSuffix("=-9") == true)
  #expect(store.objects[name(item)]?.bytes == item.object)
  #expect(store.count(.putPart) == 9)
  #expect(store.openUploads == 0)
}

@Test func filesAreStoredToo() throws {
  let directory = try TestDirectory()
  for size in [0, 3 << 20] {
    let item = try TestItem(dataBytes: size)
    let run = try PutRun(
      stream([item]), into: DirectoryStore(), at: directory.path + "/x/{item}")
    #expect(run.fault == nil)
    let path = directory.path + "/x/" + item.id.text
    #expect(try run.only.object == path)
    #expect(try run.only.proof == .head)
    #expect(try run.only.partsSHA256 == nil)
    #expect(try File.read(Path(path), limit: 1 << 30) == item.object)
  }
}

@Test func aCutStreamStoresNothing() throws {
  var item = try TestItem(dataBytes: 100_000)
  item.partSize = 30_000
  item.frameSize = 10_000
  let whole = try stream([item])
  var cuts = Array(stride(from: 9, to: whole.count, by: 1999))
  cuts += Array(whole.count - 70..<whole.count)
  for cut in cuts {
    let store = MemoryStore()
    let run = try PutRun(Array(whole[..<cut]), into: store)
    #expect(run.fault?.status == .incomplete)
    #expect(try run.only.status == .incomplete)
    #expect(store.objects.isEmpty)
    #expect(store.openUploads == 0)
  }
}

@Test func bytesAfterTheEndUndoAll() throws {
  let store = MemoryStore()
  let run = try PutRun(stream([TestItem(dataBytes: 10)]) + [0], into: store)
  #expect(run.fault?.kind == .trailingBytes)
  #expect(try run.only.status == .failed)
  #expect(store.objects.isEmpty)
}

@Test func anAbortNamesTheFirstCause() throws {
  var item = try TestItem(dataBytes: 3 << 20)
  item.abort = AbortOrigin(stage: "vault-hash", exit: 65, name: "too-large")
  let store = MemoryStore()
  let run = try PutRun(stream([item]), into: store)
  #expect(run.fault?.status == .incomplete)
  let receipt = try run.only
  #expect(receipt.status == .incomplete)
  #expect(receipt.error?.stage == "vault-hash")
  #expect(receipt.error?.code == 65)
  #expect(receipt.error?.name == "too-large")
  #expect(store.openUploads == 0)
  #expect(store.objects.isEmpty)
}

@Test func whatIsClaimedIsCompared() throws {
  let claims: [(FaultKind, (inout Summary) -> Void)] = [
    (.sizeMismatch, { $0.objectBytes += 1 }), (.otherObject, { $0.dataBytes += 1 }),
    (.otherObject, { $0.chunks += 1 }), (.digestMismatch, { $0.sha256[3] ^= 1 }),
    (.otherObject, { $0.envelope[0] ^= 1 }),
    (.otherObject, { $0.body = BodyID(head: [UInt8](repeating: 1, count: 56))! }),
    (.otherObject, { $0.item = ItemID(bytes: [UInt8](repeating: 1, count: 16))! }),
  ]
  for (kind, spoil) in claims {
    var item = try TestItem(dataBytes: 2 << 20)
    item.spoil = spoil
    try expectRefused(item, kind)
  }
}

@Test func onlyASealedObjectIsStored() throws {
  let good = try TestItem(dataBytes: 10)
  var item = good
  item.object = Array("hello, this is no sealed object".utf8)
  try expectRefused(item, .notAStream, summaryOf: good)
  item.object = good.object + [0]
  try expectRefused(item, .trailingBytes, summaryOf: good)
  item.object = Array(good.object.dropLast())
  try expectRefused(item, .incomplete, summaryOf: good)
  item.object[60] ^= 1
  try expectRefused(item, nil, summaryOf: good)
}

func expectRefused(
  _ item: TestItem, _ kind: FaultKind?, summaryOf good: TestItem? = nil
) throws {
  var item = item
  if let good {
    let summary = try good.summary()
    item.summaryOverride = summary
  }
  let store = MemoryStore()
  let run = try PutRun(stream([item]), into: store)
  if let kind { #expect(run.fault?.kind == kind) } else { #expect(run.fault != nil) }
  #expect(try [.failed, .incomplete].contains(run.only.status))
  #expect(store.objects.isEmpty)
  #expect(store.openUploads == 0)
}

@Test func aTakenNameIsOnlyReported() throws {
  let item = try TestItem(dataBytes: 10)
  let store = MemoryStore()
  let other = MemoryStore.Object(bytes: [1], token: "x", item: "y")
  store.state.withLock { $0.objects[name(item)] = other }
  let run = try PutRun(stream([item]), into: store)
  #expect(run.fault?.status == .cannotCreate)
  let receipt = try run.only
  #expect(receipt.status == .exists)
  #expect(receipt.envelope == nil && receipt.sha256 == nil && receipt.body == nil)
  #expect(store.objects[name(item)]?.bytes == [1])
}

@Test func aRefusedPartEndsTheRunThoughTheInputGoesOn() throws {
  var item = try TestItem(dataBytes: 20 << 20)
  item.partSize = 1 << 20
  let input = try stream([item])
  let store = MemoryStore([.init(call: .putPart, fault: .refused, part: 2)])
  let at = Mutex(0)
  let release = StopFlag()
  defer { release.raise() }
  let run = try PutRun(into: store, at: "s3://b/{item}") { buffer in
    let count = at.withLock { at in
      let count = min(buffer.count, 100_000, 6 << 20 - at)
      for index in 0..<count { buffer[index] = input[at + index] }
      at += count
      return count
    }
    // The producer is silent from here on, and its pipe is open.
    while count == 0, !release.isRaised { Clock.sleep(milliseconds: 5) }
    return count
  }
  #expect(run.fault?.status == .refused)
  #expect(run.fault?.reason == "400 InvalidArgument")
  #expect(try run.only.status == .failed)
  #expect(store.openUploads == 0)
}

@Test func flakyCallsAreTriedAgain() throws {
  var item = try TestItem(dataBytes: 4 << 20)
  item.partSize = 1 << 20
  let store = MemoryStore([
    .init(call: .begin, fault: .flaky), .init(call: .putPart, fault: .flaky, count: 3),
    .init(call: .commit, fault: .lost, afterEffect: true), .init(call: .prove, fault: .flaky),
  ])
  let run = try PutRun(stream([item]), into: store)
  #expect(run.fault == nil)
  #expect(try run.only.status == .stored)
  #expect(store.objects[name(item)]?.bytes == item.object)
}

@Test func whoMayNotLookStillStores() throws {
  let denied = StoreFault(Fault(.remoteDenied, "403"))
  let store = MemoryStore([.init(call: .prove, fault: denied, count: 9)])
  let run = try PutRun(stream([TestItem(dataBytes: 10)]), into: store)
  #expect(run.fault == nil)
  #expect(try run.only.proof == .response)
}

@Test func doubtIsUnknownAndDeletesNothing() throws {
  let denied = StoreFault(Fault(.remoteDenied, "403"))
  var item = try TestItem(dataBytes: 4 << 20)
  item.partSize = 1 << 20
  let store = MemoryStore([
    .init(call: .prove, fault: denied, count: 9),
    .init(call: .commit, fault: .lost, afterEffect: true, count: 9),
  ])
  let run = try PutRun(stream([item]), into: store)
  #expect(run.fault?.status == .tryAgain)
  let receipt = try run.only
  #expect(receipt.status == .unknown)
  #expect(receipt.token?.count == 32)
  #expect(receipt.object == name(item).shown)
  #expect(store.objects.count == 1)
  #expect(store.count(.abort) == 0)
}

@Test func aFailedAbortIsNamed() throws {
  var item = try TestItem(dataBytes: 4 << 20)
  item.partSize = 1 << 20
  item.abort = AbortOrigin(stage: "vault-seal", exit: 70, name: "internal")
  let store = MemoryStore([.init(call: .abort, fault: .flaky, count: 99)])
  let run = try PutRun(stream([item]), into: store)
  #expect(run.fault?.reason.contains("u1") == true)
  #expect(try run.only.status == .incomplete)
}

@Test func aDetachedEnvelopeNeedsAJournal() throws {
  let item = try TestItem(dataBytes: 10, detached: true)
  let run = try PutRun(stream([item]), into: MemoryStore())
  #expect(run.fault?.status == .usage)
  #expect(try run.only.status == .failed)
}
