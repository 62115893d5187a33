import VaultCrypto
import VaultDigest
import VaultFault
import VaultFrame

@testable import VaultSeal

/// An object that was sealed here, its data and its key.
struct SealedSample: Sendable {
  let data: [UInt8]
  let object: [UInt8]
  let keys: Keyring
  let item: ItemID

  /// Seals bytes that do not repeat with any period of the format.
  init(bytes count: Int, item: ItemID? = nil) throws {
    data = SealedSample.bytes(count, seed: UInt64(count))
    let secret = [UInt8](repeating: 7, count: 32)
    let key = try KeyEncryptionKey(Secret(copying: secret.span))
    keys = try Keyring([key])
    let id = item ?? ItemID(random: SealedSample.bytes(16, seed: UInt64(count) + 1))!
    self.item = id
    object = try SealedSample.seal(data, id, key)
  }

  /// Up to 8 MiB of the same random bytes, from another place for another seed.
  static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    let start = Int(seed % 7919)
    return Array(pool[start..<start + count])
  }

  private static let pool: [UInt8] = {
    var generator = SystemRandomNumberGenerator()
    return (0..<(1 << 17) + 990).map { _ in generator.next() }
      .withUnsafeBufferPointer { words in
        Array((0..<8).map { _ in UnsafeRawBufferPointer(words) }.joined())
      }
  }()

  private static func seal(
    _ data: [UInt8], _ item: ItemID, _ key: KeyEncryptionKey
  ) throws -> [UInt8] {
    let options = SealOptions(readers: [key], now: { 1_700_000_000 })
    let filter = ItemFilter("test", to: MemorySink()) { Sealer(options) }
    var writer = StreamWriter(to: RunnerSink(StreamRunner(filter, accepting: [.plain])))
    try writer.beginItem(.plain)
    let label = Label(item: item).payload
    try writer.frame(.label, label.span)
    for start in stride(from: 0, to: data.count, by: 1 << 20) {
      try writer.frame(.data, data.span.extracting(start..<min(start + 1 << 20, data.count)))
    }
    let digest = NamedDigest(algorithm: "sha3-256", value: try Digest.of(data.span, .sha3_256))
    let payload = digest.payload
    try writer.frame(.digest, payload.span)
    try writer.endItem()
    try writer.sink.runner.finish()
    return writer.sink.runner.consumer.writer.sink.bytes
  }
}

/// A slice as it was made, and what was fetched for it.
struct MadeSlice {
  var bytes: [UInt8] = []
  var fetched: [Range<UInt64>] = []
  var rangeFault: Fault?

  /// Fetches from an object of `total` bytes that `read` gives, in steps of at most `step` bytes.
  init(
    _ range: ByteRange, total: UInt64, step: Int = 100_000, read: (Range<UInt64>) -> [UInt8]
  ) throws(Fault) {
    var maker = SliceMaker(range)
    var writer = StreamWriter(to: MemorySink())
    try maker.objectHas(total)
    try writer.beginItem(.slice)
    while let wanted = maker.wanted {
      let piece = wanted.lowerBound..<min(wanted.upperBound, wanted.lowerBound + UInt64(step))
      if let last = fetched.last, last.upperBound == piece.lowerBound {
        fetched[fetched.count - 1] = last.lowerBound..<piece.upperBound
      } else {
        fetched.append(piece)
      }
      let bytes = read(piece)
      try maker.push(bytes.span, to: &writer)
    }
    try writer.endItem()
    bytes = writer.sink.bytes
    rangeFault = maker.rangeFault
  }

  init(_ range: ByteRange, of object: [UInt8], step: Int = 100_000) throws(Fault) {
    try self.init(range, total: UInt64(object.count), step: step) {
      Array(object[Int($0.lowerBound)..<Int($0.upperBound)])
    }
  }
}

/// What opening a range of a stream gave.
struct OpenedRange {
  private(set) var released: [UInt8] = []
  private(set) var fault: Fault?

  init(
    _ stream: [UInt8], _ range: ByteRange, _ keys: Keyring,
    expecting expected: Expectation = Expectation()
  ) {
    let out = Released()
    let consumer = RangeConsumer(keys, expecting: Expectations(expected), range: range) {
      out.add($0)
    }
    var runner = StreamRunner(consumer, accepting: [.sealed, .slice])
    do throws(Fault) {
      try runner.push(stream.span)
      try runner.finish()
    } catch { fault = error }
    released = out.bytes
  }

  /// The fault's name, or `ok`.
  var name: String { fault?.kind.rawValue ?? "ok" }

  private final class Released {
    private(set) var bytes: [UInt8] = []
    func add(_ data: Span<UInt8>) { bytes += data.copied() }
  }
}

/// The frames of a lone item, to be put together in another way.
struct Frames {
  let prologue: [UInt8]
  var all: [[UInt8]] = []

  init(_ stream: [UInt8]) {
    prologue = Array(stream[..<8])
    var from = 8
    while from < stream.count {
      let length = 16 + stream[from + 4..<from + 8].reduce(0) { $0 << 8 | Int($1) }
      all.append(Array(stream[from..<from + length]))
      from += length
    }
  }

  /// The first frame of a type.
  subscript(_ type: FrameType) -> [UInt8] {
    get { all.first { $0[0] == type.rawValue } ?? [] }
    set {
      if let index = all.firstIndex(where: { $0[0] == type.rawValue }) { all[index] = newValue }
    }
  }

  var stream: [UInt8] { prologue + all.joined() }

  /// A frame of chunks.
  static func chunks(_ index: UInt64, _ payload: some Collection<UInt8>) -> [UInt8] {
    FrameHeader(.chunks, payloadLength: payload.count, index: index).bytes + payload
  }
}
