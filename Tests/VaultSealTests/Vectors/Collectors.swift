import VaultDigest
import VaultFault
import VaultFrame

/// Reads parts as FORMAT 5.3 and 5.4 say: counts, digests, summary.
struct PartsCollector: ItemConsumer {
  private(set) var data: [UInt8] = []
  private var object: [UInt8] = []
  var isBroken: Bool { false }

  mutating func batchBegan() {}
  mutating func batchEnded() {}
  mutating func itemBegan(_ kind: StreamKind) { object = [] }
  mutating func itemEnded(_ end: FrameHeader, _ payload: Span<UInt8>) {}
  mutating func itemFailed(_ fault: Fault) {}
  mutating func streamFailed(_ fault: Fault) {}

  mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    switch header.type {
    case .label: _ = try Label(parsing: payload)
    case .data:
      data += payload.copied()
      object += payload.copied()
    case .part:
      let found = payload.extracting(16..<48).copied()
      if try Digest.of(object.span, .sha256) != found { throw Fault(.partMismatch, "its digest") }
    case .summary: try check(Summary(parsing: payload))
    default: break
    }
  }

  private func check(_ summary: Summary) throws(Fault) {
    _ = try Envelope(parsing: summary.envelope.span)
    if summary.objectBytes != UInt64(object.count) { throw Fault(.sizeMismatch, "its bytes") }
    if try Digest.of(object.span, .sha256) != summary.sha256 {
      throw Fault(.digestMismatch, "its digest")
    }
  }
}

/// Looks at the frames alone.
struct FrameCollector: ItemConsumer {
  var isBroken: Bool { false }
  mutating func batchBegan() {}
  mutating func batchEnded() {}
  mutating func itemBegan(_ kind: StreamKind) {}
  mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) {}
  mutating func itemEnded(_ end: FrameHeader, _ payload: Span<UInt8>) {}
  mutating func itemFailed(_ fault: Fault) {}
  mutating func streamFailed(_ fault: Fault) {}
}
