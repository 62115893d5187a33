internal import VaultDigest
internal import VaultFault
internal import VaultFrame

/// What the bytes of a sealed object tell without a key.
struct SealedFacts: Equatable, Sendable {
  let item: ItemID
  let body: BodyID
  let envelope: [UInt8]
  let isDetached: Bool
  var dataBytes: UInt64 = 0
  var chunks: UInt64 { BodyLayout.chunks(dataBytes: dataBytes) }
}

/// Reads the bytes that are to be stored and lets only a sealed object at rest pass: one item of kind
/// s with no transient frame (FORMAT 4.1), whose envelope belongs to its body.
struct SealedObject: ~Copyable {
  private var reader = StreamReader(accepting: [.sealed])
  private(set) var facts: SealedFacts?

  mutating func push(_ bytes: Span<UInt8>) throws(Fault) {
    var from = 0
    while from < bytes.count {
      let rest = bytes.extracting(from..<bytes.count)
      from += reader.push(rest, keeping: BodyLayout.headBytes)
      try work()
    }
  }

  // The end of the bytes; the facts are complete then.
  mutating func finish() throws(Fault) -> SealedFacts {
    try reader.finish()
    guard let facts else { throw Fault(.incomplete, "the parts hold no sealed object") }
    return facts
  }

  private mutating func work() throws(Fault) {
    while let event = try reader.next() {
      switch event {
      case .itemBegan: break
      case .frame(let header): try frame(header)
      case .itemEnded:
        let counts = EndCounts(parsing: reader.payload)
        facts?.dataBytes = counts.first
      case .itemAborted: throw Fault(abortedBy: try AbortOrigin(parsing: reader.payload))
      case .batchBegan, .batchEnded, .batchAborted:
        throw Fault(.wrongKind, "the parts hold a batch, one sealed object is wanted here")
      }
    }
  }

  private mutating func frame(_ header: FrameHeader) throws(Fault) {
    switch header.type {
    case .envelope: facts = try SealedObject.open(try Envelope(parsing: reader.payload))
    case .chunks where header.index == 0: try compareHead()
    default: break
    }
  }

  private static func open(_ envelope: Envelope) throws(Fault) -> SealedFacts {
    // FORMAT 8: damage is told before anything else.
    let sum = try Digest.of(envelope.checked.span, .sha256)
    guard Array(sum.prefix(16)) == envelope.check else {
      throw Fault(.envelopeDamaged, "the envelope is damaged: its check does not match")
    }
    return SealedFacts(
      item: envelope.item, body: envelope.body, envelope: envelope.payload,
      isDetached: envelope.isDetached)
  }

  private func compareHead() throws(Fault) {
    let head = facts?.body.head ?? []
    guard reader.payload.count >= head.count,
      reader.payload.extracting(0..<head.count).copied() == head
    else { throw Fault(.bodyMismatch, "the body does not belong to the envelope") }
  }
}
