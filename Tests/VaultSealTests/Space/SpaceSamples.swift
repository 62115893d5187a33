import SealedObjects
import VaultCrypto
import VaultFault
import VaultFrame
import VaultMeasure

@testable import VaultSeal

/// Spaces and objects for the tests of what belongs to whom.
enum Samples {
  static let items = [
    "00112233-4455-4677-8899-aabbccddeeff", "ffeeddcc-bbaa-4988-8766-554433221100",
  ].compactMap { ItemID($0) }

  /// A space that opens with 32 bytes: no password, so no derivation to wait for.
  static func space() throws(Fault) -> UnlockedSpace {
    try UnlockedSpace.create(.accessKey(Secret(random: 32)), rounds: 0)
  }

  /// An object, as `vault-hash | vault-seal` makes it.
  static func object(
    _ data: [UInt8], _ item: ItemID, _ options: SealOptions
  ) throws(Fault) -> [UInt8] {
    let filter = ItemFilter("test", to: KeptSink()) { Sealer(options) }
    let sink = RunnerSink(StreamRunner(filter, accepting: [.plain]))
    var maker = try PlainMaker(to: sink, Label(item: item), MeasureOptions())
    try maker.push(data.span)
    try maker.finish()
    try maker.writer.sink.runner.finish()
    return maker.writer.sink.runner.consumer.writer.sink.bytes
  }

  static func options(_ readers: [any SlotMaker]) -> SealOptions {
    SealOptions(readers: readers, now: { 0 })
  }

  static func envelope(_ object: [UInt8]) throws(Fault) -> Envelope {
    let count = object[12..<16].reduce(0) { $0 << 8 | Int($1) }
    let text = Array(object[24..<24 + count])
    return try Envelope(parsing: text.span)
  }

  /// What opening gives: `ok` or the name of the fault, and what was released.
  static func opened(
    _ object: [UInt8], _ openers: [any SlotOpener], expecting: Expectation = Expectation()
  ) throws -> Outcome {
    let kept = Kept()
    let consumer = DataConsumer(try Keyring(openers), expecting: Expectations(expecting)) { piece in
      kept.bytes += piece.copied()
    }
    var runner = StreamRunner(consumer, accepting: [.sealed])
    do throws(Fault) {
      try runner.push(object.span)
      try runner.finish()
    } catch { return Outcome(name: error.kind.rawValue, released: kept.bytes) }
    return Outcome(name: "ok", released: kept.bytes)
  }
}

final class Kept {
  var bytes: [UInt8] = []
}

/// Keeps all that is written.
struct KeptSink: FrameSink {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ head: Span<UInt8>, _ payload: Span<UInt8>) {
    bytes += head.copied() + payload.copied()
  }

  mutating func writeAbort(_ frame: Span<UInt8>) { bytes += frame.copied() }
}
