import Testing
import VaultFault
import VaultIO
import VaultRecord

@testable import VaultStore

private func events(_ journal: String) throws -> [String] {
  try linesOfFile(journal).map { try JSONReader.read(Array($0.utf8))["event"]?.string ?? "" }
}

private func largeItem() throws -> TestItem {
  var item = try TestItem(dataBytes: 1 << 20)
  item.partSize = 300_000
  return item
}

private func refused(_ call: MemoryStore.Call, _ kind: FaultKind, lost: Bool) -> MemoryStore.Mishap
{
  let fault = StoreFault(Fault(kind, "refused"), mayHaveHappened: lost)
  return MemoryStore.Mishap(call: call, fault: fault, afterEffect: lost, count: 9)
}

@Test func anUploadWhoseIdWasLostIsTakenBack() throws {
  let store = MemoryStore([refused(.begin, .remoteFailed, lost: true)])
  let run = try PutRun(stream([largeItem()]), into: store)
  #expect(run.fault?.kind == .remoteFailed)
  #expect(store.openUploads == 0)
  #expect(store.count(.openUploads) == 1)
}

@Test func anUploadWhoseIdWasLostIsTakenBackOnceAnotherIsOpen() throws {
  let lost = StoreFault(
    Fault(.remoteFailed, "no answer"), .transient(retryAfterSeconds: nil), mayHaveHappened: true)
  let store = MemoryStore([.init(call: .begin, fault: lost, afterEffect: true, count: 1)])
  let retry = Retry(store, FakeTime().policy)
  let name = ObjectName(key: "k", shown: "s3://b/k")
  let hints = ObjectHints(item: "i", token: "t")
  let upload = try retry.begin(at: name, hints, stop: StopFlag())
  #expect(store.openUploads == 1)
  #expect(try store.openUploads(of: name, hints, stop: StopFlag()).map(\.id) == [upload.id])
}

@Test func nothingIsLookedForWhenNoUploadCanBeOpen() throws {
  let store = MemoryStore([refused(.begin, .remoteDenied, lost: false)])
  let run = try PutRun(stream([largeItem()]), into: store)
  #expect(run.fault?.kind == .remoteDenied)
  #expect(store.count(.openUploads) == 0)
}

@Test func whatCannotBeTakenBackStaysOpenInTheJournal() throws {
  let directory = try TestDirectory()
  let journal = directory.path + "/journal"
  let store = MemoryStore([
    refused(.putPart, .remoteRefused, lost: false), refused(.abort, .remoteDenied, lost: false),
  ])
  let run = try PutRun(
    stream([largeItem()]), into: store, journal: try Journal(Path(journal)))
  #expect(run.fault?.kind == .remoteRefused)
  #expect(store.openUploads == 1)
  #expect(try events(journal) == ["begin", "upload"])
}

@Test func aSinglePutThatWasBrokenOffIsUnknown() throws {
  let directory = try TestDirectory()
  let journal = directory.path + "/journal"
  let store = MemoryStore([
    MemoryStore.Mishap(
      call: .putWhole, fault: StoreFault(Fault(.cancelled, "stopped"), mayHaveHappened: true))
  ])
  let run = try PutRun(
    stream([try TestItem(dataBytes: 10)]), into: store, journal: try Journal(Path(journal)))
  #expect(try run.only.status == .unknown)
  #expect(run.fault?.kind == .cancelled)
}

// A crash can come between the making of the hidden file and the line that names it.
@Test func theHiddenFileOfAnAttemptIsKnownByItsToken() throws {
  let directory = try TestDirectory()
  let name = ObjectName(key: directory.path + "/x", shown: directory.path + "/x")
  let hints = ObjectHints(item: "i", token: String(repeating: "0a", count: 16))
  for (ways, overwrite) in [([AtomicFile.Way.moved], false), ([.unnamed], true)] {
    let attempt = ObjectHints(item: hints.item, token: hints.token, overwrite: overwrite)
    let store = DirectoryStore(ways: ways)
    let upload = try store.begin(at: name, attempt, stop: StopFlag())
    let hidden = directory.path + "/.vault-tmp-" + hints.token.prefix(16)
    if overwrite { try File.openForAppending(Path(hidden)).writeAll([1].span) }
    #expect(File.kind(Path(hidden)) == .regular)
    let later = DirectoryStore()
    let found = try later.openUploads(of: name, hints, stop: StopFlag())
    #expect(found.map(\.id) == [hidden])
    try later.abort(overwrite ? upload : found[0], stop: StopFlag())
    #expect(File.kind(Path(hidden)) == nil)
  }
}
