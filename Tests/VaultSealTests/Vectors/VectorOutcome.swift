import SealedObjects
import TestVectors
import VaultDigest
import VaultFault
import VaultFrame
import VaultMeasure

@testable import VaultSeal

extension VectorFile {
  /// Reads the file with the reader of its kind.
  func outcome() throws -> Outcome {
    if self["kind"] == "space" { return try spaceOutcome() }
    let keys = try keyring()
    let expected: Expectation
    do throws(Fault) { expected = try expectation() } catch {
      return Outcome(name: error.kind.rawValue, released: [])
    }
    switch self["kind"] {
    case "p": return read(plain())
    case "s": return read(opening(keys, expected))
    case "c": return read(PartsCollector(), accepting: .parts) { $0.data }
    default: return read(FrameCollector(), accepting: .slice) { _ in [] }
    }
  }

  private func plain() -> ItemFilter<PlainMeasurer, DataSink> {
    var options = MeasureOptions()
    options.digests = [.sha3, .sha256]
    return ItemFilter("test", to: DataSink()) { [options] in PlainMeasurer(options) }
  }

  private func opening(
    _ keys: Keyring, _ expected: Expectation
  ) -> ItemFilter<FramedOpener, DataSink> {
    ItemFilter("test", to: DataSink()) {
      () throws(Fault) in FramedOpener(keys, expecting: Expectations(expected))
    }
  }

  private func read<Stage: ItemStage & ~Copyable>(
    _ filter: consuming ItemFilter<Stage, DataSink>
  ) -> Outcome {
    let kind = Stage.self == PlainMeasurer.self ? StreamKind.plain : .sealed
    return read(filter, accepting: kind) { $0.writer.sink.data }
  }

  private func read<Consumer: ItemConsumer & ~Copyable>(
    _ consumer: consuming Consumer, accepting kind: StreamKind,
    released: (borrowing Consumer) -> [UInt8]
  ) -> Outcome {
    var runner = StreamRunner(consumer, accepting: [kind])
    var name = "ok"
    do throws(Fault) {
      try runner.push(stream.span)
      try runner.finish()
    } catch { name = error.kind.rawValue }
    return Outcome(name: name, released: released(runner.consumer))
  }
}

/// Keeps what is in the data frames that are written.
struct DataSink: FrameSink {
  private(set) var data: [UInt8] = []

  mutating func write(_ head: Span<UInt8>, _ payload: Span<UInt8>) {
    guard head.count == FrameHeader.length, head[0] == FrameType.data.rawValue else { return }
    data += payload.copied()
  }

  mutating func writeAbort(_ frame: Span<UInt8>) {}
}
