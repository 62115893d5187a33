import SealedObjects
import Testing
import VaultFault
import VaultFrame
import VaultMeasure
import VaultParts

@testable import VaultSeal

/// What reads a batch.
enum Room: CaseIterable { case hash, seal, chunk, open, check }

/// A batch that was cut is never complete, whatever reads it; a bad item does not stop the others.
struct BatchCuts {
  private let keys: TestKeys

  init() throws { keys = try TestKeys() }

  @Test(arguments: Room.allCases)
  func aCutBatchIsNeverComplete(stage: Room) throws {
    let whole = try input(of: stage)
    #expect(try run(stage, whole).name == "ok")
    for length in cuts(whole) {
      let found = try run(stage, Array(whole[..<length]))
      #expect(found.name == "incomplete", "\(length)")
      // What comes out is no complete stream either.
      if stage != .check { #expect(isComplete(found.released) == false, "\(length)") }
    }
  }

  @Test(arguments: Room.allCases)
  func theOthersGoOnAfterAnAbortedItem(stage: Room) throws {
    let whole = try input(of: stage, aborting: true)
    let found = try run(stage, whole)
    #expect(found.name == "aborted")
    if stage != .check {
      #expect(isComplete(found.released))
      #expect(endCounts(found.released) == EndCounts(3, 2, 1))
    }
  }

  @Test func theFirstBadItemDecides() throws {
    var objects = try (0..<4).map { try object($0) }
    objects[1][Layout(objects[1])["C"][0].payload.upperBound - 1] ^= 1
    objects[2][Layout(objects[2])["M"][0].payload.upperBound - 1] ^= 1
    let found = try run(.open, batch(objects.map { Array($0.dropFirst(8)) }, "s"))
    #expect(found.name == "body-damaged")
    #expect(endCounts(found.released) == EndCounts(4, 2, 2))
  }

  private func input(of stage: Room, aborting: Bool = false) throws -> [UInt8] {
    let isPlain = stage == .hash || stage == .seal
    var items = try (0..<3).map { number in
      isPlain ? try plain(number) : Array(try object(number).dropFirst(8))
    }
    if aborting {
      let origin = AbortOrigin(stage: "vault-hash", exit: 65, name: "too-large").payload
      let end = FrameHeader(.abort, payloadLength: origin.count, index: 0).bytes + origin
      let first = isPlain ? frames(items[1])[0] : []
      items[1] = first + end
    }
    return batch(items, isPlain ? "p" : "s", aborted: aborting ? 1 : 0)
  }

  private func object(_ number: Int) throws -> [UInt8] {
    var sealing = Sealing(someData(20_000 + number))
    sealing.item = ItemID(bytes: [UInt8](repeating: UInt8(number + 1), count: 16))
    return try sealing.object(keys.makers)
  }

  private func plain(_ number: Int) throws -> [UInt8] {
    let item = try #require(ItemID(bytes: [UInt8](repeating: UInt8(number + 1), count: 16)))
    var maker = try PlainMaker(to: MemorySink(), Label(item: item), MeasureOptions())
    for size in [10, 2_000, 1] { try maker.push(someData(size).span) }
    try maker.finish()
    return Array(maker.writer.sink.bytes.dropFirst(8))
  }

  private func batch(_ items: [[UInt8]], _ kind: Character, aborted: UInt64 = 0) -> [UInt8] {
    let mark = Array("VAULT".utf8) + [1]
    let count = UInt64(items.count)
    let end = EndCounts(count, count - aborted, aborted).bytes
    return mark + [0x62, 10]
      + items.flatMap { mark + [kind.asciiValue ?? 0, 10] + $0 }
      + mark + [0x65, 10] + FrameHeader(.end, payloadLength: 24, index: 0).bytes + end
  }

  private func run(_ stage: Room, _ bytes: [UInt8]) throws -> Outcome {
    let keyring = try Keyring(keys.openers)
    let options = SealOptions(readers: keys.makers, now: { 0 })
    switch stage {
    case .hash:
      return read(bytes, .plain, filter { PlainMeasurer(MeasureOptions()) })
    case .seal: return read(bytes, .plain, filter { Sealer(options) })
    case .chunk:
      let parts = try PartOptions()
      return read(bytes, .sealed, filter { () throws(Fault) in try PartCutter(parts) })
    case .open:
      return read(
        bytes, .sealed,
        filter { () throws(Fault) in FramedOpener(keyring, expecting: Expectations()) })
    case .check:
      var runner = StreamRunner(
        CheckConsumer(keyring, expecting: Expectations(), say: { (_, _) in }), accepting: [.sealed])
      return Outcome(
        name: fault { () throws(Fault) in
          try runner.push(bytes.span)
          try runner.finish()
        }, released: [])
    }
  }

  private func filter<Stage: ItemStage & ~Copyable>(
    _ make: @escaping () throws(Fault) -> Stage
  ) -> ItemFilter<Stage, MemorySink> {
    ItemFilter("test", to: MemorySink(), makeStage: make)
  }

  private func read<Stage: ItemStage & ~Copyable>(
    _ bytes: [UInt8], _ kind: StreamKind, _ filter: consuming ItemFilter<Stage, MemorySink>
  ) -> Outcome {
    var runner = StreamRunner(filter, accepting: [kind])
    let name = fault { () throws(Fault) in
      try runner.push(bytes.span)
      try runner.finish()
    }
    return Outcome(name: name, released: runner.consumer.writer.sink.bytes)
  }
}

/// Every frame border, the bytes beside it, and places inside frames.
private func cuts(_ stream: [UInt8]) -> Set<Int> {
  var cuts: Set<Int> = [0, 1, 7]
  var at = 0
  while at < stream.count {
    let isPrologue = stream[at..<min(at + 5, stream.count)].elementsEqual("VAULT".utf8)
    let length =
      isPrologue ? 8 : 16 + Int(stream.span.bigEndian(at: at + 4, bytes: 4))
    at += length
    cuts.formUnion([at - length / 2, at - 1, at, at + 1])
  }
  return cuts.filter { $0 < stream.count }
}

private func frames(_ item: [UInt8]) -> [[UInt8]] {
  var found: [[UInt8]] = []
  var at = 0
  while at < item.count {
    let length = 16 + Int(item.span.bigEndian(at: at + 4, bytes: 4))
    found.append(Array(item[at..<at + length]))
    at += length
  }
  return found
}

private func isComplete(_ stream: [UInt8]) -> Bool {
  var reader = StreamReader(accepting: [.plain, .sealed, .parts])
  var isAborted = false
  let name = fault { () throws(Fault) in
    var from = 0
    while from < stream.count {
      from += reader.push(stream.span.extracting(from..<stream.count))
      while let event = try reader.next() {
        if case .batchAborted = event { isAborted = true }
      }
    }
    try reader.finish()
  }
  return name == "ok" && !isAborted
}

private func endCounts(_ stream: [UInt8]) -> EndCounts {
  let end = Array(stream.suffix(24))
  return EndCounts(parsing: end.span)
}

private func fault(_ body: () throws(Fault) -> Void) -> String {
  do throws(Fault) { try body() } catch { return error.kind.rawValue }
  return "ok"
}
