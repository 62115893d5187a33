internal import VaultFault

/// The first bytes of an object at rest: prologue, envelope, the header of the first frame of
/// chunks, and the body's head (FORMAT 6).
struct ObjectHead {
  /// The most bytes that they can have.
  static let maxBytes =
    Prologue.length + 2 * FrameHeader.length + FrameType.envelope.limit + BodyLayout.headBytes

  let envelope: Envelope
  let firstFrame: FrameHeader
  var envelopeBytes: UInt64 { UInt64(envelope.payload.count) }

  /// Reads them; `bytes` may go on behind them. Throws `incomplete` when they do not hold it all,
  /// `body-mismatch`, and the faults of prologues, headers and envelopes.
  init(parsing bytes: [UInt8]) throws(Fault) {
    let all = bytes.span
    guard all.count >= Prologue.length else { throw cutShort() }
    let kind = try Prologue.kind(in: all.extracting(0..<Prologue.length))
    guard kind == .sealed else {
      throw Fault(.wrongKind, "this is a \(kind.word) stream, a sealed object is wanted here")
    }
    var from = Prologue.length
    let text = try all.frame(at: &from, .envelope)
    envelope = try Envelope(parsing: all.extracting(text))
    firstFrame = try all.header(at: &from, .chunks)
    guard all.count - from >= BodyLayout.headBytes else { throw cutShort() }
    let head = all.extracting(from..<from + BodyLayout.headBytes).copied()
    guard head == envelope.body.head else {
      throw Fault(.bodyMismatch, "the body is not the one that the envelope names")
    }
  }
}

/// What the last bytes of an object at rest and the length of its envelope say of its layout.
struct ObjectLayout {
  /// The most bytes from the header before the last chunk to the end of the object.
  static let maxTailBytes =
    FrameHeader.length + BodyLayout.sealedChunkBytes - 1 + maxManifestAndEndBytes
  private static let maxManifestAndEndBytes =
    FrameHeader.length + FrameType.manifest.limit + endBytes
  static let endBytes = FrameHeader.length + FrameType.end.limit

  let dataBytes: UInt64
  let manifestOffset: UInt64
  /// The offset of the last chunk.
  let lastChunkOffset: UInt64
  /// The same, or that of the header right before it.
  let tailOffset: UInt64

  /// Reads the end frame out of the last bytes of an object of `total` bytes.
  ///
  /// Throws `incomplete` when there is none, `frame-length` or `end-mismatch` when its numbers do
  /// not fit the object.
  init(end: Span<UInt8>, head: ObjectHead, total: UInt64) throws(Fault) {
    let counts = try ObjectLayout.counts(end)
    let e = head.envelopeBytes
    dataBytes = counts.first
    let last = dataBytes / UInt64(BodyLayout.chunkBytes)
    guard last < BodyLayout.maxChunks else { throw ObjectLayout.misfit() }
    manifestOffset = BodyLayout.manifestOffset(dataBytes: dataBytes, envelopeBytes: e)
    lastChunkOffset = BodyLayout.offset(ofChunk: last, envelopeBytes: e)
    tailOffset =
      lastChunkOffset - (BodyLayout.beginsLaterFrame(last) ? UInt64(FrameHeader.length) : 0)
    let frames = last / UInt64(BodyLayout.chunksPerFrame) + 1
    let rest = total.subtractingReportingOverflow(manifestOffset)
    guard counts == EndCounts(dataBytes, frames, manifestOffset), !rest.overflow,
      rest.partialValue <= UInt64(ObjectLayout.maxManifestAndEndBytes)
    else { throw ObjectLayout.misfit() }
    guard head.firstFrame == BodyLayout.header(ofFrameWith: 0, dataBytes: dataBytes) else {
      throw Fault(.frameLength, "the first frame of chunks is not as long as the object asks for")
    }
  }

  private static func counts(_ end: Span<UInt8>) throws(Fault) -> EndCounts {
    guard end.count == endBytes,
      end.extracting(0..<FrameHeader.length).copied()
        == FrameHeader(.end, payloadLength: FrameType.end.limit, index: 0).bytes
    else {
      throw Fault(
        .incomplete, "the object does not end with an end frame: it was cut, or bytes follow it")
    }
    return EndCounts(parsing: end.extracting(FrameHeader.length..<endBytes))
  }

  static func misfit() -> Fault {
    Fault(.endMismatch, "the end frame counts other bytes than the object has")
  }
}

private func cutShort() -> Fault {
  Fault(.incomplete, "the object ends before its end frame")
}

extension Span<UInt8> {
  /// Reads the header of a frame that must stand at `offset`, and moves behind it.
  func header(at offset: inout Int, _ type: FrameType) throws(Fault) -> FrameHeader {
    let header = try header(at: &offset)
    guard header.type == type else {
      throw Fault(
        .frameOrder, "no frame \(type.letter) stands where the layout of an object has it")
    }
    guard header.index == 0 else {
      throw Fault(.frameIndex, "frame \(type.letter) has index \(header.index), not 0")
    }
    return header
  }

  /// Reads any header at `offset` and moves behind it.
  func header(at offset: inout Int) throws(Fault) -> FrameHeader {
    guard count - offset >= FrameHeader.length else { throw cutShort() }
    let header = try FrameHeader(parsing: extracting(offset..<offset + FrameHeader.length))
    offset += FrameHeader.length
    return header
  }

  /// The place of the payload of a frame that must stand at `offset`; moves behind it.
  func frame(at offset: inout Int, _ type: FrameType) throws(Fault) -> Range<Int> {
    let header = try header(at: &offset, type)
    guard count - offset >= header.payloadLength else { throw cutShort() }
    defer { offset += header.payloadLength }
    return offset..<offset + header.payloadLength
  }
}
