public import VaultFault
public import VaultFrame
internal import VaultMeasure
public import VaultSeal

/// What a test wants sealed.
public struct Sealing {
  /// The data.
  public var data: [UInt8]
  /// The item.
  public var item = ItemID("00112233-4455-4677-8899-aabbccddeeff")
  /// Bytes of one write of the producer.
  public var write = 1 << 20
  /// Where its data key comes from.
  public var dataKeys: any DataKeyMaker = RandomDataKeys()

  /// Data, sealed as it comes.
  public init(_ data: [UInt8]) { self.data = data }

  /// The sealed object, through the same stages as `vault-hash | vault-seal`.
  public func object(_ readers: [any SlotMaker]) throws(Fault) -> [UInt8] {
    var options = SealOptions(readers: readers, now: { 1_767_323_045 })
    options.dataKeys = dataKeys
    let filter = ItemFilter("test", to: MemorySink()) { Sealer(options) }
    let sink = RunnerSink(StreamRunner(filter, accepting: [.plain]))
    guard let item else { return [] }
    var maker = try PlainMaker(to: sink, Label(item: item), MeasureOptions())
    var from = 0
    while from < data.count {
      let until = min(data.count, from + write)
      try maker.push(data.span.extracting(from..<until))
      from = until
    }
    try maker.finish()
    try maker.writer.sink.runner.finish()
    return maker.writer.sink.runner.consumer.writer.sink.bytes
  }
}

/// Data that repeats nowhere.
public func someData(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 56)
  }
}

/// What came of a stream: `ok` or the name of the first fault, and the data that was released.
public struct Outcome: Equatable {
  /// The name.
  public let name: String
  /// The data.
  public let released: [UInt8]

  /// Takes both.
  public init(name: String, released: [UInt8]) {
    self.name = name
    self.released = released
  }

  /// True when it failed, and all that came out is the beginning of `data`.
  public func isRefusal(of data: [UInt8]) -> Bool {
    name != "ok" && released.count <= data.count && released == Array(data[..<released.count])
  }
}

/// Opens an object as `vault-open` does, fed in pieces.
public func opened(
  _ object: [UInt8], _ keys: Keyring, expecting expected: Expectation = Expectation(),
  piece: Int = 1 << 20
) -> Outcome {
  let data = Box()
  let consumer = DataConsumer(keys, expecting: Expectations(expected)) { piece in
    if data.bytes.isEmpty { data.bytes = piece.copied() } else { data.bytes += piece.copied() }
  }
  var runner = StreamRunner(consumer, accepting: [.sealed])
  do throws(Fault) {
    var from = 0
    while from < object.count {
      let until = min(object.count, from + piece)
      try runner.push(object.span.extracting(from..<until))
      from = until
    }
    try runner.finish()
  } catch { return Outcome(name: error.kind.rawValue, released: data.bytes) }
  return Outcome(name: "ok", released: data.bytes)
}

private final class Box {
  var bytes: [UInt8] = []
}
