import Testing
import VaultFault
import VaultFrame
import VaultIO
import VaultRecord

@testable import VaultStore

@Test func whatLabelsClaimNeverEndsTheProcess() throws {
  var batch = try (0..<4).map { _ in try TestItem(dataBytes: 10) }
  for place in batch.indices {
    batch[place].label = Label(item: batch[place].id)
    batch[place].label?.bytes = UInt64(Int64.max)
  }
  let run = try PutRun(stream(batch, batch: true), into: MemoryStore())
  #expect(run.receipts.count == 4)
}

@Test(arguments: [(true, 1), (true, 4), (false, 4)], [10, 200_000])
func noItemReplacesAnotherOfItsRun(_ how: (overwrite: Bool, jobs: Int), _ size: Int) throws {
  var batch = try (0..<3).map { _ in try TestItem(dataBytes: size) }
  for place in batch.indices { batch[place].partSize = 90_000 }
  let store = MemoryStore { call, _ in if call == .commit { Clock.sleep(milliseconds: 5) } }
  let run = try PutRun(stream(batch, batch: true), into: store, at: "s3://b/same") { settings in
    settings.overwrite = how.overwrite
    settings.jobs = how.jobs
  }
  #expect(run.fault?.status == .cannotCreate)
  #expect(run.receipts.count { $0.status == .stored } == 1)
  #expect(run.receipts.count { $0.status == .exists } == 2)
  #expect(store.objects.values.map(\.bytes) == [batch[0].object])
  #expect(store.openUploads == 0)
}

@Test func aNameIsFreeAgainAfterAFailure() throws {
  var batch = try (0..<2).map { _ in try TestItem(dataBytes: 10) }
  batch[0].abort = AbortOrigin(stage: "vault-seal", exit: 70, name: "internal")
  let run = try PutRun(stream(batch, batch: true), into: MemoryStore(), at: "s3://b/same") {
    $0.overwrite = true
  }
  #expect(run.receipts.count { $0.status == .stored } == 1)
}
