/// The type of a frame (FORMAT 3).
public enum FrameType: UInt8, CaseIterable, Sendable {
  /// Label (`L`), transient.
  case label = 0x4C
  /// Data (`D`).
  case data = 0x44
  /// Digest (`H`).
  case digest = 0x48
  /// Envelope (`E`).
  case envelope = 0x45
  /// Chunks (`C`).
  case chunks = 0x43
  /// Tail (`T`), in slices.
  case tail = 0x54
  /// Manifest (`M`).
  case manifest = 0x4D
  /// Part (`P`).
  case part = 0x50
  /// Summary (`S`), transient.
  case summary = 0x53
  /// Abort (`X`), transient.
  case abort = 0x58
  /// End (`Z`).
  case end = 0x5A

  /// The most bytes that a payload may have.
  public var limit: Int {
    switch self {
    case .label, .data: 1 << 20
    case .digest, .abort: 1 << 10
    case .envelope: 16 << 10
    case .chunks: BodyLayout.headBytes + BodyLayout.fullFrameBytes
    case .tail, .manifest: BodyLayout.headBytes + BodyLayout.sealedChunkBytes - 1
    case .part: 48
    case .summary: 64 << 10
    case .end: 24
    }
  }

  /// The fewest bytes that a payload may have.
  public var minimum: Int {
    switch self {
    case .part, .end: limit
    case .tail, .manifest: BodyLayout.headBytes + BodyLayout.tagBytes
    case .chunks: BodyLayout.tagBytes
    default: 1
    }
  }

  /// True for frames that belong to the pipe and are never at rest.
  public var isTransient: Bool { self == .label || self == .summary || self == .abort }

  /// The letter that messages use.
  public var letter: String { String(Unicode.Scalar(rawValue)) }
}

/// The measures of a sealed body (FORMAT 7).
public enum BodyLayout {
  /// Salt and commitment, in bytes.
  public static let headBytes = 56
  /// Data bytes of a full chunk.
  public static let chunkBytes = 16_384
  /// Bytes of the tag of a chunk.
  public static let tagBytes = 16
  /// Bytes of a full chunk when sealed.
  public static let sealedChunkBytes = 16_400
  /// Full chunks of a frame.
  public static let chunksPerFrame = 64
  /// Bytes of a full frame of chunks, without the head.
  public static let fullFrameBytes = 64 * 16_400

  /// The number of chunks of `dataBytes` bytes: one at least, since the last chunk is always short.
  public static func chunks(dataBytes: UInt64) -> UInt64 { dataBytes / 16_384 + 1 }

  /// The offset of chunk `number` in an object whose envelope has `envelopeBytes` bytes.
  public static func offset(ofChunk number: UInt64, envelopeBytes: UInt64) -> UInt64 {
    8 + 16 + envelopeBytes + 16 * (number / 64 + 1) + 56 + 16_400 * number
  }

  /// The offset of the manifest's frame for a body of `dataBytes` bytes.
  public static func manifestOffset(dataBytes: UInt64, envelopeBytes: UInt64) -> UInt64 {
    let last = chunks(dataBytes: dataBytes) - 1
    return offset(ofChunk: last, envelopeBytes: envelopeBytes) + dataBytes % 16_384 + 16
  }
}
