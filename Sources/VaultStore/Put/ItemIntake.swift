internal import VaultDigest
internal import VaultFault
internal import VaultFrame
internal import VaultIO
internal import VaultText

/// Everything that is known of an item when all of it has come, been counted and compared.
struct Ending: Sendable {
  let facts: SealedFacts
  let summary: Summary
  let sha256: [UInt8]
  let parts: Int
  // Of each part by itself, where the store needs them.
  let partDigests: [[UInt8]]
  // The only part, when there is one: it is stored in one step.
  var whole: PartData?
}

/// Reads the frames of one parts item and recomputes all that they claim (FORMAT 4, 5).
struct ItemIntake: ~Copyable {
  private let budget: MemoryBudget
  private let temporary: Path
  private let awaitMemory: () throws(Fault) -> Bool
  private var object = SealedObject()
  private var digests: PartedDigest
  private var builder: PartBuilder?
  private var parts = 0
  private var partDigests: [[UInt8]] = []
  private var summary: Summary?
  private(set) var bytes: UInt64 = 0

  init(
    _ budget: MemoryBudget, temporary: Path, takingPartDigests: Bool,
    awaitMemory: @escaping () throws(Fault) -> Bool
  ) throws(Fault) {
    let digests = try PartedDigest(takingParts: takingPartDigests)
    self.budget = budget
    self.temporary = temporary
    self.awaitMemory = awaitMemory
    self.digests = digests
  }

  // What the object's envelope says, as soon as it has come.
  var facts: SealedFacts? { object.facts }

  mutating func data(_ bytes: Span<UInt8>) throws(Fault) {
    try object.push(bytes)
    try digests.update(bytes)
    if builder == nil {
      builder = PartBuilder(budget, temporary: temporary, awaitMemory: awaitMemory)
    }
    try builder?.append(bytes)
    self.bytes += UInt64(bytes.count)
  }

  // Number and size were compared by the reader of the stream; the digest is compared here.
  mutating func part(_ payload: Span<UInt8>) throws(Fault) -> PartData {
    let border = try digests.endPart()
    parts += 1
    guard payload.extracting(16..<48).copied() == border.object,
      let buffer = builder.take()?.finish()
    else {
      throw Fault(.partMismatch, "up to part \(parts) the SHA-256 is another than its frame says")
    }
    if let sha256 = border.part { partDigests.append(sha256) }
    return PartData(
      number: parts, offset: bytes - buffer.size, bytes: buffer, sha256: border.part)
  }

  mutating func summary(_ payload: Span<UInt8>) throws(Fault) {
    summary = try Summary(parsing: payload)
  }

  // The item has ended: all must be there, and be what the summary says.
  mutating func finish() throws(Fault) -> Ending {
    let facts = try object.finish()
    let sha256 = try digests.takeWhole()
    guard let summary else { throw Fault(.incomplete, "the item has no summary") }
    guard summary.objectBytes == bytes else {
      throw Fault(.sizeMismatch, "the summary counts \(summary.objectBytes) bytes of \(bytes)")
    }
    guard summary.sha256 == sha256 else {
      throw Fault(.digestMismatch, "the summary has another SHA-256 than the object")
    }
    try facts.compare(summary)
    return Ending(
      facts: facts, summary: summary, sha256: sha256, parts: parts, partDigests: partDigests)
  }
}

extension SealedFacts {
  // The summary's envelope is the object's own, or belongs to it when the own one is detached.
  func compare(_ summary: Summary) throws(Fault) {
    let stranger = Fault(.otherObject, "the summary belongs to another object than has come")
    guard summary.item == item, summary.body == body, summary.dataBytes == dataBytes,
      summary.chunks == chunks
    else { throw stranger }
    guard isDetached else {
      if summary.envelope == envelope { return }
      throw stranger
    }
    let slots = try Envelope(parsing: summary.envelope.span)
    guard slots.item == item, slots.body == body, !slots.isDetached else { throw stranger }
  }
}

extension Ending {
  // What S3 calls a composite checksum: SHA-256 over the parts' digests, and their number.
  func composite() throws(Fault) -> String? {
    guard partDigests.count > 1 else { return nil }
    let sum = try Digest.of(Array(partDigests.joined()).span, .sha256)
    return "\(Base64.encode(sum, padded: true))-\(partDigests.count)"
  }
}
