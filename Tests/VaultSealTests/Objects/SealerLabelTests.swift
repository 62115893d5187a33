import Testing
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

  @Test func noDigestIsShownThatNobodyDisclosed() throws {
    var label = Label(item: Samples.items[0])
    label.sha3 = [UInt8](repeating: 1, count: 32)
    label.digests = [NamedDigest(algorithm: "sha3-256", value: [UInt8](repeating: 1, count: 32))]
    let shown = String(decoding: try sealed(label), as: UTF8.self)
    #expect(shown.contains("vault-label/1") && !shown.contains("sha3-256"))
  }
}
