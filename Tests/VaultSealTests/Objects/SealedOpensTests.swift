import Testing
import VaultDigest
import VaultFault
import VaultFrame
import VaultMeasure
import VaultRecord

@testable import VaultSeal

/// Whatever is sealed opens: a value that the reader would refuse is refused when it is sealed.
@Suite struct SealedOpensTests {
  private static let last: Int64 = 253_402_300_799
  private static let moments: [Int64] = [
    .min, -62_135_596_801, -1, 0, 1, 951_782_400, 1_767_323_045, last, last + 1, .max,
  ]
  private let owner: Identity

  init() throws { owner = try Identity() }

  @Test(arguments: moments) func clocks(_ seconds: Int64) throws {
    let isGood = (0...SealedOpensTests.last).contains(seconds)
    let fault = try outcome(Label(item: Samples.items[0]), [1, 2, 3], now: seconds)
    #expect(fault?.kind == (isGood ? nil : .badConfiguration))
    #expect(fault.map { $0.status == .configuration } ?? true)
  }

  @Test(arguments: moments) func nothingLeavesUnderAClockThatIsWrong(_ seconds: Int64) throws {
    let options = SealOptions(readers: [owner.recipient], now: { seconds })
    let isGood = (0...SealedOpensTests.last).contains(seconds)
    #expect((try? options.time()) == (isGood ? TextTime.text(seconds) : nil))
  }

  @Test(arguments: [0, 1, 16_383, 16_384, 16_385, 1 << 20, (1 << 20) + 1])
  func sizes(_ count: Int) throws {
    #expect(try outcome(Label(item: Samples.items[0]), someBytes(count)) == nil)
  }

  @Test(arguments: [1, 255, 5_300, 5_500, 16_000, 16_383, 16_384, 16_385], [false, true])
  func names(_ count: Int, escaped: Bool) throws {
    var label = Label(item: Samples.items[0])
    label.description.name = [UInt8](repeating: escaped ? 0x25 : 0x61, count: count)
    try expectNoLie(label)
    label.description.name = nil
    label.description.mediaType = String(repeating: escaped ? "%" : "a", count: count)
    try expectNoLie(label)
    label.description.mediaType = nil
    label.origin = Origin(etag: String(repeating: escaped ? " " : "e", count: count))
    try expectNoLie(label)
  }

  @Test func everyByteOfAName() throws {
    for byte in UInt8.min...UInt8.max {
      var label = Label(item: Samples.items[0])
      label.description.name = [0x61, byte]
      let fault = try outcome(label, [1])
      #expect((fault == nil) == (byte != 0), "byte \(byte)")
    }
  }

  @Test(arguments: [
    0, 1, UInt64(Int64.max) - 1, UInt64(Int64.max), UInt64(Int64.max) + 1, UInt64.max,
  ])
  func numbers(_ value: UInt64) throws {
    var label = Label(item: Samples.items[0])
    label.origin = Origin(bytes: value)
    try expectNoLie(label)
  }

  @Test(arguments: [1, 16_384, 262_143, 262_144, 262_145])
  func rows(_ count: Int) throws {
    let frame = "{\"a\":\"\"}".utf8.count
    guard count > frame else { return }
    var label = Label(item: Samples.items[0])
    label.row = Array("{\"a\":\"\(String(repeating: "x", count: count - frame))\"}".utf8)
    try expectNoLie(label)
  }

  @Test(arguments: [
    [["x-a", "b"]], [["x-", "b"]], [["x-a"]], [["x-a", ""]], [["x-a", "b c"]], [["x-a", "%41"]],
    [["x-a", "%20"]], [["a", "b"]], [["x-a", "b"], ["x-a", "b"]],
  ])
  func extraLines(_ lines: [[String]]) throws {
    var label = Label(item: Samples.items[0])
    label.description.extra = lines
    try expectNoLie(label)
  }

  @Test(arguments: ["2026-01-02T03:04:05Z", "10000-01-01T00:00:00Z", "1969-12-31T23:59:59Z", ""])
  func times(_ text: String) throws {
    var label = Label(item: Samples.items[0])
    label.description.time = text
    try expectNoLie(label)
  }

  // Either the label or its sealing is refused, or the object opens: alone and in a batch.
  private func expectNoLie(_ label: Label) throws {
    for disclosed in [Set<Disclosure>(), Set(Disclosure.allCases)] {
      for detached in [false, true] {
        let fault = try outcome(label, [1, 2, 3], disclose: disclosed, detach: detached)
        #expect(fault.map { $0.kind != .bodyDamaged && $0.kind != .aborted } ?? true)
      }
    }
  }

  /// The fault of the sealing; nil when it went well. What was sealed must open.
  private func outcome(
    _ label: Label, _ data: [UInt8], now: Int64 = 0, disclose: Set<Disclosure> = [],
    detach: Bool = false
  ) throws -> Fault? {
    var options = SealOptions(readers: [owner.recipient], now: { now })
    options.disclose = disclose
    options.detach = detach
    let sealed: [UInt8]
    do throws(Fault) { sealed = try seal(label, data, options) } catch { return error }
    try expectOpens(sealed, data)
    return nil
  }

  private func seal(
    _ label: Label, _ data: [UInt8], _ options: SealOptions
  ) throws(Fault) -> [UInt8] {
    let filter = ItemFilter("test", to: KeptSink(), alwaysBatch: options.needsLabels) {
      Sealer(options)
    }
    let sink = RunnerSink(StreamRunner(filter, accepting: [.plain]))
    var maker = try PlainMaker(to: sink, label, MeasureOptions())
    try maker.push(data.span)
    try maker.finish()
    try maker.writer.sink.runner.finish()
    return maker.writer.sink.runner.consumer.writer.sink.bytes
  }

  private func expectOpens(_ sealed: [UInt8], _ data: [UInt8]) throws {
    let verdicts = Kept()
    let consumer = CheckConsumer(
      try Keyring([owner]), expecting: Expectations(),
      say: { (verdict, _) in verdicts.bytes += verdict.line })
    var runner = StreamRunner(consumer, accepting: [.sealed])
    try runner.push(sealed.span)
    try runner.finish()
    let text = String(decoding: verdicts.bytes, as: UTF8.self)
    #expect(text.contains("\"data_bytes\":\(data.count)"))
    #expect(text.contains("\"consistent\":true") || text.contains("\"verified\":true"))
  }

  private func someBytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  }
}
