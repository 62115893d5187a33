import SealedObjects
import Testing
import VaultCrypto
import VaultDigest
import VaultFault
import VaultFrame
import VaultParts
import VaultSeal

struct PartCutterTests {
  // Some end with a short piece, some with a long one; in the last the short pieces add up to a long one.
  @Test(arguments: [
    (0, 5 << 20), (40_000, 5 << 20), (90_000, 5 << 20), (6 << 20, 5 << 20), (66 << 20, 128 << 20),
  ])
  func thePartsTogetherAreTheObject(size: Int, partSize: Int) throws {
    let key = try KeyEncryptionKey(Secret(random: 32))
    let object = try Sealing([UInt8](repeating: 7, count: size)).object([key])
    let options = try PartOptions(partSize: UInt64(partSize))
    let cutter = ItemFilter("test", to: MemorySink()) { () throws(Fault) in
      try PartCutter(options)
    }
    var runner = StreamRunner(cutter, accepting: [.sealed])
    try runner.push(object.span)
    try runner.finish()

    let parts = try Parts(runner.consumer.writer.sink.bytes)
    #expect(parts.data == object)
    #expect(parts.sizes.dropLast().allSatisfy { $0 == partSize })
    #expect(parts.sizes.count == (object.count + partSize - 1) / partSize)
    let summary = try #require(parts.summary)
    #expect(summary.objectBytes == UInt64(object.count))
    #expect(summary.dataBytes == UInt64(size))
    #expect(summary.chunks == BodyLayout.chunks(dataBytes: UInt64(size)))
    #expect(summary.sha256 == (try Digest.of(object.span, .sha256)))
    #expect(summary.envelope == Array(object[Layout(object)["E"][0].payload]))
  }
}

/// A parts stream as it is read: its data, the sizes of its parts, what it says at the end.
private struct Parts {
  var data: [UInt8] = []
  var sizes: [Int] = []
  var summary: Summary?

  init(_ stream: [UInt8]) throws(Fault) {
    var reader = StreamReader(accepting: [.parts])
    var part: [UInt8] = []
    var from = 0
    while from < stream.count {
      from += reader.push(stream.span.extracting(from..<stream.count))
      while case .some(let event) = try reader.next() {
        guard case .frame(let header) = event else { continue }
        try take(header, reader.payload, &part)
      }
    }
    try reader.finish()
  }

  private mutating func take(
    _ header: FrameHeader, _ payload: Span<UInt8>, _ part: inout [UInt8]
  ) throws(Fault) {
    switch header.type {
    case .data: part += payload.copied()
    case .part:
      data += part
      #expect(try Digest.of(data.span, .sha256) == payload.extracting(16..<48).copied())
      sizes.append(part.count)
      part = []
    case .summary: summary = try Summary(parsing: payload)
    default: break
    }
  }
}
