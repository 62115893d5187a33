import Testing
import VaultDigest
import VaultFault
import VaultIO
import VaultRecord
import VaultText

@testable import VaultStore

/// A batch with a journal, and what that says of the items that ended.
struct SettlingTests {
  let directory: TestDirectory
  let store = MemoryStore()

  init() throws { directory = try TestDirectory() }

  private func put(syncing sync: SharedSync? = nil) throws -> PutRun {
    let items = try itemsOfABatch((0..<30).map { $0 * 500 })
    return try PutRun(
      stream(items, batch: true), into: store, journal: Journal(Path(directory.path + "/journal")),
      syncing: sync)
  }

  private func ends() throws -> [JSONValue] {
    try linesOfFile(directory.path + "/journal").map { try JSONReader.read(Array($0.utf8)) }
      .filter { $0["event"]?.string == "end" }
  }

  @Test func eachItemHasEndedWhenAllIsOver() throws {
    let run = try put()
    #expect(run.fault == nil)
    #expect(run.receipts.count == 30)
    let ends = try ends()
    #expect(Set(ends.map { $0["token"]?.string }) == Set(run.receipts.map(\.token)))
    #expect(ends.count == 30)
    #expect(ends.allSatisfy { $0["receipt"] == nil })
  }

  // What was printed may be gone after a crash then; the journal must not take it for known.
  @Test func receiptsThatCannotBeSyncedAreInTheJournal() throws {
    let run = try put(syncing: SharedSync(of: Descriptor(borrowing: 1_000_000, name: "closed")))
    #expect(run.fault?.kind == .writeFailed)
    let kept = try ends().compactMap { $0["receipt"]?["token"]?.string }
    #expect(!store.objects.isEmpty)
    #expect(kept.sorted() == store.objects.values.map(\.token).sorted())
  }
}
