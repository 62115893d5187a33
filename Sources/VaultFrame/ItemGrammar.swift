internal import VaultFault

/// The order, the indices and the counts of the frames of one item (FORMAT 3, 4).
///
/// Readers and writers walk through the same value, so that what we write is what we would accept.
struct ItemGrammar: Sendable {
  let kind: StreamKind
  let inBatch: Bool
  private var place = Place.start
  private var seen = [UInt64](repeating: 0, count: 128)
  private var part = PartCount()
  private(set) var body = BodyCount()

  /// Where in the item the next frame stands.
  private enum Place {
    case start, label, envelope, body, tail, part, digest, manifest, last, ended
  }

  init(_ kind: StreamKind, inBatch: Bool) {
    self.kind = kind
    self.inBatch = inBatch
  }

  var hasEnded: Bool { place == .ended }

  /// The index that the next frame of this type must have.
  func index(of type: FrameType) -> UInt64 {
    switch type {
    case .chunks: body.nextChunk
    case .tail: body.tailChunk
    default: seen[Int(type.rawValue)]
    }
  }

  /// The payload that the end frame must have here.
  var endCounts: EndCounts {
    switch kind {
    case .plain, .parts: EndCounts(body.dataBytes, seen[Int(FrameType.data.rawValue)], 0)
    case .sealed, .slice: EndCounts(body.dataBytes, body.frames, body.manifestOffset)
    default: EndCounts()
    }
  }

  /// Takes the header of the next frame, before its payload is here; throws the fault that it is in
  /// this place.
  mutating func accept(_ header: FrameHeader) throws(Fault) {
    place = try next(header.type)
    try check(header)
    try count(header)
    seen[Int(header.type.rawValue)] += 1
  }

  /// Takes the payload of the header that was accepted last.
  mutating func accept(_ payload: Span<UInt8>, of header: FrameHeader) throws(Fault) {
    if header.type == .part { try part.accept(payload) }
    if header.type == .end, kind != .end { try checkEnd(EndCounts(parsing: payload)) }
  }

  private func next(_ type: FrameType) throws(Fault) -> Place {
    if type == .abort, place != .ended { return .ended }
    let next: Place? =
      switch kind {
      case .plain: nextInPlain(type)
      case .sealed: nextInSealed(type)
      case .parts: nextInParts(type)
      case .slice: nextInSlice(type)
      case .end: type == .end && place == .start ? .ended : nil
      case .foreign, .begin: nil
      }
    guard let next else {
      throw Fault(.frameOrder, "frame \(type.letter) cannot stand here in a \(kind.word) item")
    }
    return next
  }

  // FORMAT 4.1, one function a kind.
  private func nextInPlain(_ type: FrameType) -> Place? {
    switch (place, type) {
    case (.start, .label): .label
    case (.label, .data), (.body, .data): .body
    case (.label, .digest), (.body, .digest), (.digest, .digest): .digest
    case (.label, .label), (.body, .label), (.digest, .label): .last
    case (.label, .end), (.body, .end), (.digest, .end), (.last, .end): .ended
    default: nil
    }
  }

  private func nextInSealed(_ type: FrameType) -> Place? {
    switch (place, type) {
    case (.start, .label) where inBatch: .label
    case (.start, .envelope), (.label, .envelope): .envelope
    case (.envelope, .chunks): .body
    case (.body, .chunks) where !body.isComplete: .body
    case (.body, .manifest) where body.isComplete: .manifest
    case (.manifest, .label) where inBatch: .last
    case (.manifest, .end), (.last, .end): .ended
    default: nil
    }
  }

  private func nextInParts(_ type: FrameType) -> Place? {
    switch (place, type) {
    case (.start, .label): .label
    case (.start, .data), (.label, .data), (.body, .data), (.part, .data): .body
    case (.body, .part): .part
    case (.part, .summary): .last
    case (.last, .end): .ended
    default: nil
    }
  }

  private func nextInSlice(_ type: FrameType) -> Place? {
    switch (place, type) {
    case (.start, .label): .label
    case (.start, .envelope), (.label, .envelope): .envelope
    case (.envelope, .tail): .tail
    case (.tail, .manifest): .manifest
    case (.manifest, .chunks): .manifest
    case (.manifest, .end): .ended
    default: nil
    }
  }

  private func check(_ header: FrameHeader) throws(Fault) {
    let type = header.type
    let isFree = type == .tail || (type == .chunks && kind == .slice)
    guard isFree || header.index == index(of: type) else {
      throw Fault(
        .frameIndex,
        "frame \(type.letter) has index \(header.index), \(index(of: type)) must come here")
    }
  }

  private mutating func count(_ header: FrameHeader) throws(Fault) {
    let bytes = header.payloadLength
    switch header.type {
    case .data:
      body.dataBytes += UInt64(bytes)
      part.bytes += UInt64(bytes)
    case .envelope: body.envelopeBytes = UInt64(bytes)
    case .chunks where kind == .sealed: try body.accept(chunkBytes: bytes)
    case .chunks: try body.acceptSliced(header)
    case .tail: try body.acceptTail(header)
    default: break
    }
  }

  private func checkEnd(_ found: EndCounts) throws(Fault) {
    guard found == endCounts else {
      throw Fault(.endMismatch, "the end frame counts other bytes or frames than have come")
    }
  }
}

/// The parts of a parts item as they are counted (FORMAT 5.3); their digests are checked elsewhere.
private struct PartCount {
  var bytes: UInt64 = 0
  var number: UInt64 = 0

  mutating func accept(_ payload: Span<UInt8>) throws(Fault) {
    number += 1
    guard payload.bigEndian(at: 4, bytes: 4) == 0 else {
      throw Fault(.badReserved, "a reserved byte of part \(number) is not zero")
    }
    guard payload.bigEndian(at: 0, bytes: 4) == number,
      payload.bigEndian(at: 8, bytes: 8) == bytes
    else { throw Fault(.partMismatch, "part \(number) has another number or size than its frame") }
    bytes = 0
  }
}
