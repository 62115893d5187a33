import Synchronization
import Testing
import VaultFault
import VaultIO
import VaultRecord

@testable import VaultStore

private func text(_ path: String) throws -> [UInt8] { try File.read(Path(path), limit: 1 << 20) }

private func settled(_ journal: String) throws -> [Bool] {
  try JournalReader(try text(journal), of: journal).entries.map(\.isSettled)
}

@Test func aLineCutAnywhereNeitherHidesNorHinders() throws {
  let directory = try TestDirectory()
  let (journal, cut) = (directory.path + "/journal", directory.path + "/cut")
  let first = try TestItem(dataBytes: 10)
  _ = try PutRun(
    stream([first]), into: MemoryStore(), journal: Journal(Path(journal)))
  let whole = try text(journal)
  let begin = try #require(whole.firstIndex(of: 0x0A)) + 1
  for end in begin..<whole.count {
    remove(cut)
    try File.openForAppending(Path(cut)).writeAll(Array(whole[..<end]).span)
    let run = try PutRun(
      stream([TestItem(dataBytes: 10)]), into: MemoryStore(), journal: Journal(Path(cut)))
    #expect(run.fault == nil)
    #expect(try settled(cut) == [end == whole.count - 1, true], "\(end)")
  }
}

@Test func aLineThatAnotherLeftCutSwallowsNoneOfOurs() throws {
  let directory = try TestDirectory()
  let path = directory.path + "/journal"
  let journal = try Journal(Path(path))
  let item = ItemProgress(order: 1, token: "t", below: StopFlag())
  let upload = UploadName(object: ObjectName(key: "k", shown: "/k"), id: "u")
  try journal.upload(item, upload)
  try File.openForAppending(Path(path)).writeAll(Array("{\"jour".utf8).span)
  try journal.upload(item, upload)
  #expect(try settled(path) == [false])
  try journal.end(item, "stored")
  #expect(try settled(path) == [true])
}

@Test func aSweepWritesBehindACutLine() throws {
  let directory = try TestDirectory()
  let path = directory.path + "/journal"
  let begun =
    "{\"journal\":\"vault/1\",\"event\":\"begin\",\"token\":\"t\",\"item\":\"i\",\"object\":\"/no/such\"}\n"
  try File.openForAppending(Path(path)).writeAll(Array((begun + "{\"jour").utf8).span)
  for expected in [1, 0] {
    let sweep = Sweep(Path(path), receipts: ReceiptOutput(try File.openForAppending("/dev/null"))) {
      _ in
      DirectoryStore()
    }
    #expect(try sweep.run().nothing == expected)
  }
}

@Test(arguments: [10, 1 << 20])
func aReceiptThatNobodyTookIsPrintedByASweep(_ dataBytes: Int) throws {
  let directory = try TestDirectory()
  let (journal, swept) = (directory.path + "/journal", directory.path + "/swept")
  var item = try TestItem(dataBytes: dataBytes)
  item.partSize = 300_000
  let input = try stream([item])
  let ends = try pipeOfTests()
  let isFirst = Mutex(true)
  let store = MemoryStore { call, _ in
    guard call == .prove, isFirst.withLock({ $0.take() }) else { return }
    closeOfTests(ends.read)
  }
  do {
    let at = Mutex(0)
    let engine = PutEngine(
      PutSettings(try Destination("s3://b/{item}")), store: store,
      receipts: ReceiptOutput(Descriptor(owning: ends.write, name: "receipts")),
      journal: try Journal(Path(journal)))
    let fault = #expect(throws: Fault.self) {
      try engine.run { buffer in
        at.withLock { at in
          let count = min(buffer.count, input.count - at)
          for index in 0..<count { buffer[index] = input[at + index] }
          at += count
          return count
        }
      }
    }
    #expect(fault?.status == .localIO)
  }
  for expected in [1, 0] {
    let sweep = Sweep(
      Path(journal), receipts: ReceiptOutput(try File.openForAppending(Path(swept)))
    ) { _ in store
    }
    #expect(try sweep.run().recovered == expected)
  }
  let receipts = try linesOfFile(swept).map { try Receipt(line: Array($0.utf8)) }
  #expect(receipts.map(\.status) == [.stored])
  #expect(receipts.first?.recovered == true)
}

@Test func anObjectThatAppearsDuringASweepIsRecovered() throws {
  let directory = try TestDirectory()
  let journal = directory.path + "/journal"
  var item = try TestItem(dataBytes: 1 << 20)
  item.partSize = 300_000
  let store = MemoryStore()
  _ = try PutRun(stream([item]), into: store, journal: Journal(Path(journal)))
  let lines = linesOfFile(journal).dropLast().joined(separator: "\n") + "\n"
  remove(journal)
  try File.openForAppending(Path(journal)).writeAll(Array(lines.utf8).span)
  let objects = store.objects
  store.state.withLock { $0.objects = [:] }
  let late = LateStore(store, objects)
  let sweep = Sweep(Path(journal), receipts: ReceiptOutput(try File.openForAppending("/dev/null")))
  { _ in
    late.store
  }
  #expect(try sweep.run() == Sweep.Counts(recovered: 1, removed: 0, nothing: 0))
}

/// A store whose object appears with the abort.
private struct LateStore {
  let store: MemoryStore

  init(_ first: MemoryStore, _ objects: [ObjectName: MemoryStore.Object]) {
    let held = Mutex<MemoryStore?>(nil)
    store = MemoryStore { call, _ in
      if call == .abort { held.withLock { $0?.state.withLock { $0.objects = objects } } }
    }
    held.withLock { $0 = store }
  }
}

@Test func aSweepElsewhereSettlesNothing() throws {
  let directory = try TestDirectory()
  let journal = directory.path + "/journal"
  let server = try ScriptedServer { _, end in end.answer(404) }
  let home = "https://s3.example.org"
  let begun =
    "{\"journal\":\"vault/1\",\"event\":\"begin\",\"token\":\"t\",\"item\":\"i\","
    + "\"object\":\"s3://bucket/k\",\"home\":\"\(home)\"}\n"
  try File.openForAppending(Path(journal)).writeAll(Array(begun.utf8).span)
  let store = try S3ScriptTests().store(server)
  let sweep = Sweep(Path(journal), receipts: ReceiptOutput(try File.openForAppending("/dev/null")))
  { _ in store }
  let fault = #expect(throws: Fault.self) { try sweep.run() }
  #expect(fault?.status == .configuration)
  #expect(fault?.reason.contains(home) == true)
  #expect(server.requests.isEmpty)
  #expect(linesOfFile(journal).count == 1)
}

@Test func aRelativeNameIsJournaledWithItsDirectory() throws {
  let store = DirectoryStore()
  #expect(store.home(of: ObjectName(key: "/a", shown: "/a")) == nil)
  let here = try #require(File.identity("."))
  #expect(
    store.home(of: ObjectName(key: "a", shown: "a"))
      == "directory \(here.device):\(here.inode)")
}
