import Testing
import VaultCrypto
import VaultFault
import VaultFrame
import VaultMeasure

@testable import VaultSeal

/// What the label of a plain item leads to when it is sealed.
@Suite struct SealerLabelTests {
  private let data = Array("original".utf8)

  private func sealed(
    _ label: Label, digest algorithm: String = "sha3-256"
  ) throws(Fault) -> [UInt8] {
    let options = Samples.options([try Identity().recipient])
    let filter = ItemFilter("test", to: MemorySink(), alwaysBatch: true) { Sealer(options) }
    var runner = StreamRunner(filter, accepting: [.plain])
    var writer = StreamWriter(to: MemorySink())
    try writer.beginItem(.plain)
    try writer.frame(.label, label.payload.span)
    try writer.frame(.data, data.span)
    let digest = NamedDigest(algorithm: algorithm, value: [UInt8](repeating: 1, count: 32))
    try writer.frame(.digest, digest.payload.span)
    try writer.endItem()
    try runner.push(writer.sink.bytes.span)
    try runner.finish()
    return runner.consumer.writer.sink.bytes
  }

  private func kind(_ label: Label, digest: String = "sha3-256") -> FaultKind? {
    do throws(Fault) { _ = try sealed(label, digest: digest) } catch { return error.kind }
    return nil
  }

  @Test func dataThatIsNotWhatTheLabelSaysIsNotSealed() {
    var label = Label(item: Samples.items[0])
    label.bytes = UInt64(data.count)
    label.sha3 = [UInt8](repeating: 1, count: 32)
    #expect(kind(label) == nil)
    label.bytes = UInt64(data.count + 1)
    #expect(kind(label) == .sizeMismatch)
    label.bytes = nil
    label.sha3 = [UInt8](repeating: 2, count: 32)
    #expect(kind(label) == .digestMismatch)
  }

  @Test func aDigestThatWasNotTakenIsNoMatch() {
    var label = Label(item: Samples.items[0])
    #expect(kind(label, digest: "sha256") == nil)
    label.sha3 = [UInt8](repeating: 1, count: 32)
    #expect(kind(label, digest: "sha256") == .digestMismatch)
  }

  /// What the library can put into a label and a reader would refuse.
  private static let unreadable: [@Sendable (inout Label) -> Void] = [
    { $0.description.mediaType = "" }, { $0.description.mediaType = "a\0b" },
    { $0.description.mediaType = String(repeating: "a", count: 16_385) },
    { $0.description.name = [] }, { $0.description.name = [0x61, 0] },
    { $0.description.name = [UInt8](repeating: 0xFF, count: 16_385) },
    { $0.description.time = "" }, { $0.description.time = "2026-02-30T00:00:00Z" },
    { $0.description.time = "10000-01-01T00:00:00Z" }, { $0.origin.etag = "" },
    { $0.origin.version = "\0" }, { $0.origin.bytes = 1 << 63 },
    { $0.description.extra = [["x-"]] }, { $0.description.extra = [["x-a"]] },
    { $0.description.extra = [["y-a", "1"]] }, { $0.description.extra = [["x-a", "%41"]] },
    { $0.description.extra = [["x-a", "1\nsize 5"]] },
    { $0.description.extra = [["x-a", String(repeating: "a", count: 16_380)]] },
  ]

  @Test(arguments: unreadable.indices)
  func noTextIsSealedThatAReaderRefuses(index: Int) throws {
    var label = Label(item: Samples.items[0])
    Self.unreadable[index](&label)
    #expect(kind(label) == .badText)
    let manifest = Manifest(
      body: [UInt8](repeating: 0, count: 32), size: 0,
      digests: [NamedDigest(algorithm: "sha3-256", value: [UInt8](repeating: 1, count: 32))],
      description: label.description, origin: label.origin)
    #expect(throws: Fault.self) {
      try manifest.sealed(item: label.item, with: DataKey(Secret(random: 32)))
    }
  }

  @Test func aClockPastTheYear9999SealsNothing() throws {
    var options = Samples.options([try Identity().recipient])
    options.now = { 253_402_300_800 }
    let filter = ItemFilter("test", to: MemorySink()) { [options] in Sealer(options) }
    let sink = RunnerSink(StreamRunner(filter, accepting: [.plain]))
    var found: Fault?
    do throws(Fault) {
      _ = try PlainMaker(to: sink, Label(item: Samples.items[0]), MeasureOptions())
    } catch { found = error }
    #expect(found?.kind == .badConfiguration)
  }

  // `?hidden` is longer than what it stands for.
  @Test func aRowThatIsTooLongWhenItsURLIsHiddenIsRefused() {
    var label = Label(item: Samples.items[0])
    let start = #"{"source":"https://h/?","#
    for (spare, kind) in [(0, FaultKind.badRow), (5, .badRow), (6, nil)] {
      let fill = Label.maxRowBytes - start.utf8.count - 6 - spare
      label.row = Array((start + #""a":""# + String(repeating: "b", count: fill - 1) + "\"}").utf8)
      #expect(label.row?.count == Label.maxRowBytes - spare)
      #expect(self.kind(label) == kind, "\(spare)")
    }
  }

  @Test func noDigestIsShownThatNobodyDisclosed() throws {
    var label = Label(item: Samples.items[0])
    label.sha3 = [UInt8](repeating: 1, count: 32)
    label.digests = [NamedDigest(algorithm: "sha3-256", value: [UInt8](repeating: 1, count: 32))]
    let shown = String(decoding: try sealed(label), as: UTF8.self)
    #expect(shown.contains("vault-label/1") && !shown.contains("sha3-256"))
  }
}
