import Foundation
import Testing
import VaultFault
import VaultFrame
import VaultIO

@testable import VaultStore

/// Objects in files of a directory that is removed at the end.
private final class Room {
  let path = NSTemporaryDirectory() + "vault-get-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { remove(path) }

  func add(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    return "\(path)/\(name)"
  }
}

/// One item of a stream, as its reader sees it.
private struct Seen: Equatable {
  var row: String?
  var data: [UInt8] = []
  var item: String?
  var error: String?
}

private func read(_ bytes: [UInt8], _ kind: StreamKind) throws -> (items: [Seen], abort: String?) {
  var reader = StreamReader(accepting: [kind])
  var (items, abort): ([Seen], String?) = ([], nil)
  var from = 0
  while from < bytes.count {
    from += reader.push(bytes.span.extracting(from..<bytes.count))
    while let event = try reader.next() {
      switch event {
      case .itemBegan: items.append(Seen())
      case .frame(let header) where header.type == .label:
        let label = try Label(parsing: reader.payload)
        items[items.count - 1].row = label.row.map { String(decoding: $0, as: UTF8.self) }
        items[items.count - 1].item = label.item.text
      case .frame(let header) where header.type == .data:
        items[items.count - 1].data += reader.payload.copied()
      case .itemAborted:
        items[items.count - 1].error = try AbortOrigin(parsing: reader.payload).name
      case .batchAborted: abort = try AbortOrigin(parsing: reader.payload).name
      default: break
      }
    }
  }
  try reader.finish()
  return (items, abort)
}

/// The frames of all items, header and payload.
private func frames(_ bytes: [UInt8]) throws -> [[UInt8]] {
  var reader = StreamReader(accepting: [.plain])
  var (frames, from): ([[UInt8]], Int) = ([], 0)
  while from < bytes.count {
    from += reader.push(bytes.span.extracting(from..<bytes.count))
    while let event = try reader.next() {
      switch event {
      case .frame(let header), .itemEnded(let header):
        frames.append(header.bytes + reader.payload.copied())
      default: break
      }
    }
  }
  try reader.finish()
  return frames
}

private func batch(
  _ room: Room, _ rows: [String], _ settings: GetSettings, done: DoneRows = DoneRows()
) throws -> (bytes: [UInt8], fault: Fault?) {
  let path = try room.add("rows", Array(rows.map { $0 + "\n" }.joined().utf8))
  var engine = GetEngine(settings, to: MemorySink())
  let opener = SourceOpener { () throws(Fault) in try S3Settings() }
  var fault: Fault?
  do throws(Fault) {
    fault = try engine.run(rows: try File.open(Path(path)), done: done, opener)
  } catch { fault = error }
  return (engine.writer.sink.bytes, fault)
}

@Suite struct GetEngineTests {
  @Test func aSealedObjectIsItsOwnBytes() throws {
    let room = try Room()
    let item = try #require(ItemID(random: try Entropy.bytes(16)))
    let object = try sealedObject(item, dataBytes: 3_000_000)
    let path = try room.add("o", object)
    var engine = GetEngine(GetSettings(), to: MemorySink())
    try engine.run(FileSource(Path(path)), named: path)
    #expect(engine.writer.sink.bytes == object)
    #expect(engine.counts.done == UInt64(object.count))
  }

  @Test(arguments: [0, 1, 7, 8, 100, 500_000])
  func aTruncatedObjectEndsWithAnAbort(size: Int) throws {
    let room = try Room()
    let item = try #require(ItemID(random: try Entropy.bytes(16)))
    let object = Array(try sealedObject(item, dataBytes: 1_000_000).prefix(size))
    let path = try room.add("o", object)
    var engine = GetEngine(GetSettings(), to: MemorySink())
    let source = try FileSource(Path(path))
    #expect(throws: Fault.self) { try engine.run(source, named: path) }
    let found = try read(engine.writer.sink.bytes, .sealed)
    #expect(found.items.count == 1 && found.items[0].error != nil)
  }

  @Test(arguments: [1, 3, 8])
  func orderIsKeptAndBadRowsAreAbortedInPlace(jobs: Int) throws {
    let room = try Room()
    var (rows, wanted): ([String], [Seen]) = ([], [])
    for number in 0..<60 {
      let size = [0, 1, 5000, 3_000_000][number % 4]
      let data = [UInt8](repeating: UInt8(number), count: size)
      let path = number % 7 == 3 ? room.path + "/none" : try room.add("\(number)", data)
      rows.append(number % 11 == 5 ? "{" : #"{"source":"\#(path)","n":\#(number)}"#)
      let isBad = number % 11 == 5
      let error = isBad ? "bad-row" : number % 7 == 3 ? "missing-object" : nil
      wanted.append(
        Seen(
          row: isBad ? #"{"line":\#(number + 1)}"# : rows[number],
          data: error == nil ? data : [], error: error))
    }
    var settings = GetSettings()
    settings.form = .plain
    settings.jobs = jobs
    settings.readAhead = 10_000
    let found = try batch(room, rows, settings)
    var items = try read(found.bytes, .plain).items
    for index in items.indices { items[index].item = nil }
    #expect(items == wanted)
    #expect(found.fault?.kind == .missingObject)
  }

  @Test(arguments: [0, 1, 5_000, 3_000_000])
  func withoutItsDigestAPlainItemIsTheSame(size: Int) throws {
    let room = try Room()
    let path = try room.add("o", [UInt8](repeating: 7, count: size))
    let item = "00112233-4455-4677-8899-aabbccddeeff"
    var settings = GetSettings()
    settings.form = .plain
    settings.readAhead = 10_000
    let rows = [#"{"source":"\#(path)","item":"\#(item)"}"#]
    let whole = try frames(batch(room, rows, settings).bytes)
    settings.takesDigest = false
    let found = try batch(room, rows, settings)
    #expect(found.fault == nil)
    #expect(try frames(found.bytes) == whole.filter { $0.first != UInt8(ascii: "H") })
    #expect(whole.count { $0.first == UInt8(ascii: "H") } == 1)
  }

  @Test func aSealedItemHasTheObjectsOwnItemAndTheWholeRow() throws {
    let room = try Room()
    let item = try #require(ItemID(random: try Entropy.bytes(16)))
    let path = try room.add("o", try sealedObject(item, dataBytes: 10))
    let row = #"{"source":"\#(path)","item":"00112233-4455-4677-8899-aabbccddeeff","name":"n"}"#
    for form in [GetSettings.Form.sealed, .heads] {
      var settings = GetSettings()
      settings.form = form
      let found = try batch(room, [row], settings)
      let items = try read(found.bytes, form == .heads ? .slice : .sealed).items
      #expect(items == [Seen(row: row, item: item.text)])
    }
  }

  @Test func rowsThatAreNotCompleteAbortTheBatchAfterTheWholeItems() throws {
    let room = try Room()
    let path = try room.add("o", [1, 2])
    var settings = GetSettings()
    settings.form = .plain
    settings.needsRowsEnd = true
    let found = try batch(room, [#"{"source":"\#(path)"}"#], settings)
    #expect(found.fault?.kind == .incomplete)
    let seen = try? read(found.bytes, .plain)
    #expect(seen?.items.first?.data == [1, 2])
    #expect(seen?.abort == "incomplete")
  }

  @Test func aFileThatIsNoRegularOneIsRefusedAtOnce() throws {
    let room = try Room()
    mkfifo(room.path + "/pipe", 0o600)
    for name in ["pipe", "."] {
      let fault = #expect(throws: Fault.self) { try FileSource(Path(room.path + "/" + name)) }
      #expect(fault?.kind == .readFailed)
    }
  }
}
