import Testing
import VaultFault
import VaultIO
import VaultRecord

@testable import VaultStore

private func text(_ path: String) throws -> [UInt8] { try File.read(Path(path), limit: 1 << 20) }

private func settled(_ journal: String) throws -> [Bool] {
  try JournalReader(try text(journal)).entries.map(\.isSettled)
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

@Test func aSweepWritesBehindACutLine() throws {
  let directory = try TestDirectory()
  let path = directory.path + "/journal"
  let begun =
    "{\"journal\":\"vault/1\",\"event\":\"begin\",\"token\":\"t\",\"item\":\"i\",\"object\":\"/no/such\"}\n"
  try File.openForAppending(Path(path)).writeAll(Array((begun + "{\"jour").utf8).span)
  for expected in [1, 0] {
    let sweep = Sweep(Path(path), receipts: try File.openForAppending("/dev/null")) { _ in
      DirectoryStore()
    }
    #expect(try sweep.run().nothing == expected)
  }
}
