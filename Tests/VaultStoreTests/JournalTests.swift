import Testing
import VaultDigest
import VaultFault
import VaultFrame
import VaultIO
import VaultRecord
import VaultText

@testable import VaultStore

/// A put with a journal into a directory, and what a crash after some line would leave of it.
private struct Crash {
  let directory: TestDirectory
  let item: TestItem
  let receipt: Receipt
  let lines: [String]
  let journal: String
  let object: String

  init(dataBytes: Int, at destination: String = "/out/{item}") throws {
    directory = try TestDirectory()
    journal = directory.path + "/journal"
    var item = try TestItem(dataBytes: dataBytes)
    item.partSize = 300_000
    self.item = item
    let run = try PutRun(
      stream([item]), into: DirectoryStore(), at: directory.path + destination,
      journal: Journal(Path(journal)))
    #expect(run.fault == nil)
    receipt = try run.only
    lines = linesOfFile(journal)
    object = try #require(receipt.object)
  }

  func keepLines(_ count: Int, more: String = "") throws {
    remove(journal)
    let text = lines.prefix(count).map { $0 + "\n" }.joined() + more
    try File.openForAppending(Path(journal)).writeAll(Array(text.utf8).span)
  }

  func sweep() throws -> (Sweep.Counts, [Receipt]) {
    let path = directory.path + "/swept"
    remove(path)
    let sweep = Sweep(Path(journal), receipts: ReceiptOutput(try File.openForAppending(Path(path))))
    { _ in
      DirectoryStore()
    }
    let counts = try sweep.run()
    return (counts, try linesOfFile(path).map { try Receipt(line: Array($0.utf8)) })
  }
}

private func events(_ lines: [String]) throws -> [String] {
  try lines.map { try JSONReader.read(Array($0.utf8))["event"]?.string ?? "" }
}

@Test func aJournalHasALineBeforeEachStep() throws {
  #expect(try events(Crash(dataBytes: 10).lines) == ["commit", "end"])
  #expect(try events(Crash(dataBytes: 1 << 20).lines) == ["begin", "upload", "commit", "end"])
}

@Test func aSettledJournalIsLeftAlone() throws {
  let crash = try Crash(dataBytes: 1 << 20)
  let (counts, receipts) = try crash.sweep()
  #expect(counts == Sweep.Counts())
  #expect(receipts.isEmpty)
  #expect(linesOfFile(crash.journal).count == 4)
}

@Test(arguments: [10, 1 << 20])
func anObjectWithoutItsReceiptIsRecovered(_ dataBytes: Int) throws {
  let crash = try Crash(dataBytes: dataBytes)
  try crash.keepLines(crash.lines.count - 1, more: "{\"journal\":\"vault/1\",\"ev")
  let (counts, receipts) = try crash.sweep()
  #expect(counts.recovered == 1)
  var expected = crash.receipt
  expected.recovered = true
  expected.create = nil
  expected.storedAt = receipts.first?.storedAt
  #expect(receipts == [expected])
}

@Test func whatIsNotOursIsNotRecovered() throws {
  let crash = try Crash(dataBytes: 1 << 20)
  try crash.keepLines(3)
  remove(crash.object)
  let other = try sealedObject(
    #require(ItemID(random: Entropy.bytes(16))), dataBytes: 1 << 20)
  try File.openForAppending(Path(crash.object)).writeAll(other.span)
  let (counts, receipts) = try crash.sweep()
  #expect(counts == Sweep.Counts(recovered: 0, removed: 1, nothing: 0))
  #expect(receipts.isEmpty)
  #expect(try File.read(Path(crash.object), limit: 1 << 30) == other)
}

@Test func aHiddenFileIsSweptByItsNameOnly() throws {
  let directory = try TestDirectory()
  let name = directory.fresh()
  let store = DirectoryStore(ways: [.linked])
  let hints = ObjectHints(item: "i", token: "t")
  let open = try store.begin(at: name, hints, stop: StopFlag())
  let other = ObjectHints(item: "i", token: "u")
  let kept = try DirectoryStore(ways: [.linked]).begin(at: name, other, stop: StopFlag())
  try File.openForAppending(Path(kept.id)).writeAll([1].span)
  let journal = Path(directory.path + "/journal")
  var item = ItemProgress(order: 1, token: "t", below: StopFlag())
  item.item = "0f8fad5b-d9cb-469f-a165-70867728950e"
  item.name = name
  do {
    let writer = try Journal(journal)
    try writer.begin(item, body: "b", envelope: nil)
    try writer.upload(item, open)
  }
  let sweep = Sweep(journal, receipts: ReceiptOutput(try File.openForAppending("/dev/null"))) { _ in
    DirectoryStore()
  }
  #expect(try sweep.run() == Sweep.Counts(recovered: 0, removed: 1, nothing: 0))
  #expect(File.kind(Path(open.id)) == nil)
  #expect(File.kind(Path(kept.id)) == .regular)
}

@Test func aJournalInUseIsNotSwept() throws {
  let crash = try Crash(dataBytes: 10)
  let inUse = try Journal(Path(crash.journal))
  #expect(throws: Fault.self) { try crash.sweep() }
  _ = inUse
}

@Test(arguments: ["x\n", "{}\n", "{\"journal\":\"vault/2\",\"event\":\"end\",\"token\":\"t\"}\n"])
func whatIsNotAJournalIsRefused(_ text: String) throws {
  let crash = try Crash(dataBytes: 10)
  try crash.keepLines(1, more: text)
  #expect {
    try crash.sweep()
  } throws: {
    ($0 as? Fault)?.kind == .badReceipt
  }
}

@Test func aDetachedEnvelopeIsOnRecordBeforeTheFirstByte() throws {
  let directory = try TestDirectory()
  let path = directory.path + "/journal"
  var item = try TestItem(dataBytes: 1 << 20, detached: true)
  item.partSize = 300_000
  let slots = try item.summary().envelope
  var label = Label(item: item.id)
  label.envelope = slots
  item.label = label
  let lines = Lines()
  let store = MemoryStore { call, _ in
    if call == .begin { lines.set(linesOfFile(path)) }
  }
  let run = try PutRun(stream([item]), into: store, journal: Journal(Path(path)))
  #expect(run.fault == nil)
  #expect(try run.only.envelope == String(decoding: slots, as: UTF8.self))
  let first = try JSONReader.read(Array(try #require(lines.get().first).utf8))
  #expect(first["envelope"]?.string == String(decoding: slots, as: UTF8.self))
  #expect(first["event"]?.string == "begin")
}

@Test func aDetachedEnvelopeThatIsNowhereIsRefused() throws {
  let directory = try TestDirectory()
  let item = try TestItem(dataBytes: 10, detached: true)
  let store = MemoryStore()
  let run = try PutRun(
    stream([item]), into: store, journal: Journal(Path(directory.path + "/journal")))
  #expect(run.fault?.status == .badInput)
  #expect(store.objects.isEmpty)
}
