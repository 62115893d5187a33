import VaultDigest
import VaultFault
import VaultFrame
import VaultIO
import VaultText
import Testing

/// A sealed object as far as it can be told without a key: right structure, random content.
func sealedObject(_ item: ItemID, dataBytes: Int, detached: Bool = false) throws -> [UInt8] {
  var writer = StreamWriter(to: MemorySink())
  try writeSealed(item, dataBytes, detached, &writer)
  return writer.sink.bytes
}

// The compiler does not survive the span of a temporary array in a function with untyped throws.
private func write(
  _ type: FrameType, _ payload: [UInt8], _ writer: inout StreamWriter<MemorySink>
) throws(Fault) {
  try writer.frame(type, payload.span)
}

private func writeSealed(
  _ item: ItemID, _ dataBytes: Int, _ detached: Bool, _ writer: inout StreamWriter<MemorySink>
) throws {
  let body = try #require(BodyID(head: Entropy.bytes(56)))
  try writer.beginItem(.sealed)
  try write(.envelope, try envelope(item, body, detached: detached), &writer)
  for chunks in try chunkPayloads(dataBytes, body.head) {
    try write(.chunks, chunks, &writer)
  }
  try write(.manifest, try Entropy.bytes(200), &writer)
  try writer.endItem()
}

private func chunkPayloads(_ dataBytes: Int, _ head: [UInt8]) throws -> [[UInt8]] {
  let frame = 64 * 16_384
  let full = try (0..<dataBytes / frame).map { _ in try Entropy.bytes(64 * 16_400) }
  let rest = dataBytes % frame
  var payloads = full + [try Entropy.bytes(rest + 16 * (rest / 16_384 + 1))]
  payloads[0] = head + payloads[0]
  return payloads
}

func envelope(_ item: ItemID, _ body: BodyID, detached: Bool = false) throws -> [UInt8] {
  let slot = Slot(
    kind: "key", id: [UInt8](repeating: 1, count: 8),
    values: [[UInt8](repeating: 2, count: 32), [UInt8](repeating: 3, count: 48)])
  let text = Envelope.unchecked(item: item, body: body, slots: detached ? [] : [slot])
  let check = try Digest.of(Array(text.utf8).span, .sha256).prefix(16)
  return Array(
    (text + "check \(Base64.encode(Array(check), padded: false))\n"
      + "mac \(Base64.encode([UInt8](repeating: 9, count: 32), padded: false))\n").utf8)
}

/// One item of a parts stream, and how it is spoilt.
struct TestItem {
  var id = ItemID(random: try! Entropy.bytes(16))!  // the kernel has random bytes
  var object: [UInt8]
  var partSize = 1 << 20
  var frameSize = 1 << 16
  var label: Label?
  var abort: AbortOrigin?
  var spoil: ((inout Summary) -> Void)?
  var summaryOverride: Summary?
  // Takes the payload of a part's frame, and the part.
  var spoilPart: ((inout [UInt8], [UInt8]) throws -> Void)?

  init(dataBytes: Int, detached: Bool = false) throws {
    object = []
    object = try sealedObject(id, dataBytes: dataBytes, detached: detached)
  }

  func write(to writer: inout StreamWriter<MemorySink>) throws {
    try writer.beginItem(.parts)
    if let label { try VaultStoreTests.write(.label, label.payload, &writer) }
    var number = 0
    for start in stride(from: 0, to: object.count, by: partSize) {
      number += 1
      try writePart(number, start..<min(start + partSize, object.count), &writer)
    }
    if let abort { return writer.abortItem(abort) }
    var summary = try self.summary()
    spoil?(&summary)
    try VaultStoreTests.write(.summary, summary.payload, &writer)
    try writer.endItem()
  }

  private func writePart(
    _ number: Int, _ range: Range<Int>, _ writer: inout StreamWriter<MemorySink>
  ) throws {
    let part = Array(object[range])
    for start in stride(from: 0, to: part.count, by: frameSize) {
      try VaultStoreTests.write(
        .data, Array(part[start..<min(start + frameSize, part.count)]), &writer)
    }
    var frame = bigEndian(UInt64(number), bytes: 4) + [0, 0, 0, 0]
    frame +=
      bigEndian(UInt64(part.count), bytes: 8)
      + (try Digest.of(object.span.extracting(0..<range.upperBound), .sha256))
    try spoilPart?(&frame, part)
    try VaultStoreTests.write(.part, frame, &writer)
  }

  func summary() throws -> Summary {
    if let summaryOverride { return summaryOverride }
    var reader = StreamReader(accepting: [.sealed])
    var envelope: Envelope?
    var dataBytes: UInt64 = 0
    try read(&reader, &envelope, &dataBytes)
    let own = try #require(envelope)
    let slots = own.isDetached ? try VaultStoreTests.envelope(id, own.body) : own.payload
    return Summary(
      item: id, objectBytes: UInt64(object.count), dataBytes: dataBytes,
      chunks: BodyLayout.chunks(dataBytes: dataBytes),
      sha256: try Digest.of(object.span, .sha256), body: own.body, envelope: slots)
  }
}

extension TestItem {
  fileprivate func read(
    _ reader: inout StreamReader, _ envelope: inout Envelope?, _ dataBytes: inout UInt64
  ) throws {
    var from = 0
    while from < object.count {
      from += reader.push(object.span.extracting(from..<object.count))
      while let event = try reader.next() {
        if case .frame(let header) = event, header.type == .envelope {
          envelope = try Envelope(parsing: reader.payload)
        }
        if case .itemEnded = event { dataBytes = EndCounts(parsing: reader.payload).first }
      }
    }
  }
}

func stream(_ items: [TestItem], batch: Bool = false) throws -> [UInt8] {
  var writer = StreamWriter(to: MemorySink())
  if batch { try writer.beginBatch() }
  for item in items { try item.write(to: &writer) }
  if batch { try writer.endBatch() }
  return writer.sink.bytes
}
