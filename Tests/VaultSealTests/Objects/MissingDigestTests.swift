import SealedObjects
import Testing
import VaultDigest
import VaultFault
import VaultFrame
import VaultMeasure

@testable import VaultSeal

/// Plain items without a digest (FORMAT 4.1): they can be measured, not sealed.
@Suite struct MissingDigestTests {
  private let data = [UInt8](repeating: 7, count: 40_000)
  private let options: SealOptions

  init() throws { options = Samples.options([try Identity().recipient]) }

  private func plain(_ digests: Set<DataDigest>..., batch: Bool = false) throws -> [UInt8] {
    var writer = StreamWriter(to: MemorySink())
    if batch { try writer.beginBatch() }
    for digests in digests {
      try writer.beginItem(.plain)
      try writer.frame(.label, Label(item: Samples.items[0]).payload.span)
      try writer.frame(.data, data.span)
      for digest in digests {
        let digest = NamedDigest(
          algorithm: digest.rawValue, value: [UInt8](repeating: 1, count: 32))
        try writer.frame(.digest, digest.payload.span)
      }
      try writer.endItem()
    }
    try writer.endBatch()
    return writer.sink.bytes
  }

  /// The name of the fault, and what came out.
  private func run<Stage: ItemStage & ~Copyable>(
    _ bytes: [UInt8], _ make: @escaping () throws(Fault) -> Stage
  ) -> Outcome {
    let filter = ItemFilter("test", to: MemorySink(), makeStage: make)
    var runner = StreamRunner(filter, accepting: [.plain])
    var name = "ok"
    do throws(Fault) {
      try runner.push(bytes.span)
      try runner.finish()
    } catch { name = error.kind.rawValue }
    return Outcome(name: name, released: runner.consumer.writer.sink.bytes)
  }

  private func sealed(_ bytes: [UInt8]) -> Outcome { run(bytes) { [options] in Sealer(options) } }

  private func events(_ bytes: [UInt8]) throws -> [String] {
    var reader = StreamReader(accepting: [.sealed])
    var (events, from): ([String], Int) = ([], 0)
    while from < bytes.count {
      from += reader.push(bytes.span.extracting(from..<bytes.count))
      while let event = try reader.next() {
        switch event {
        case .frame(let header), .itemEnded(let header): events.append(header.type.letter)
        case .itemAborted: events.append(try AbortOrigin(parsing: reader.payload).name)
        case .batchEnded: events.append("end")
        default: break
        }
      }
    }
    try reader.finish()
    return events
  }

  @Test func anItemWithoutADigestIsNotSealed() throws {
    let found = sealed(try plain([]))
    #expect(found.name == "frame-order")
    #expect(try events(found.released) == ["E", "frame-order"])
  }

  @Test func theOthersOfABatchAreSealed() throws {
    let found = sealed(try plain([.sha3], [], [.sha256], batch: true))
    #expect(found.name == "frame-order")
    let whole = ["L", "E", "C", "M", "Z"]
    #expect(try events(found.released) == whole + ["L", "E", "frame-order"] + whole + ["end"])
  }

  @Test func whatMeasuresTheDataNeedsNoDigest() throws {
    let measured = run(try plain([])) { PlainMeasurer(MeasureOptions()) }
    #expect(measured.name == "ok")
    let digest = NamedDigest(
      algorithm: DataDigest.sha3.rawValue, value: try Digest.of(data.span, .sha3_256))
    let frame = digest.payload
    #expect(measured.released.indices.contains { measured.released[$0...].starts(with: frame) })
    #expect(sealed(measured.released).name == "ok")
  }
}
