internal import VaultFault

/// The 16 bytes before each payload (FORMAT 3).
public struct FrameHeader: Equatable, Sendable {
  /// Length of a header in bytes.
  public static let length = 16
  /// The limit of a frame that this version does not know but may pass over, in bytes.
  static let skippableLimit = 1 << 20

  /// The type, or nil for a frame of a later version that may be passed over.
  public let type: FrameType?
  /// The type's byte as it stands.
  public let rawType: UInt8
  /// Bytes of payload that follow.
  public let payloadLength: Int
  /// The index; its meaning depends on the type.
  public let index: UInt64

  /// The header of a frame of a known type; its flags follow from the type.
  public init(_ type: FrameType, payloadLength: Int, index: UInt64) {
    self.type = type
    self.rawType = type.rawValue
    self.payloadLength = payloadLength
    self.index = index
  }

  /// True when the frame belongs to the pipe.
  public var isTransient: Bool { type?.isTransient ?? false }

  /// Reads a header; `bytes` holds exactly 16.
  ///
  /// Throws `unknown-frame`, `bad-flags`, `bad-reserved`, `frame-too-long` or `frame-length`.
  init(parsing bytes: Span<UInt8>) throws(Fault) {
    rawType = bytes[0]
    type = FrameType(rawValue: rawType)
    payloadLength = Int(bytes.bigEndian(at: 4, bytes: 4))
    index = bytes.bigEndian(at: 8, bytes: 8)
    try FrameHeader.checkFlags(bytes[1], type, rawType)
    guard bytes[2] == 0, bytes[3] == 0 else {
      throw Fault(.badReserved, "a reserved byte of a frame is not zero")
    }
    try checkLimits()
  }

  private static func checkFlags(
    _ flags: UInt8, _ type: FrameType?, _ raw: UInt8
  ) throws(Fault) {
    guard let type else {
      guard flags & 2 != 0 else {
        throw Fault(
          .unknownFrame, "a frame of unknown type \(raw)",
          hint: "it may be made by a newer version of the tools")
      }
      guard flags == 2 else {
        throw Fault(.badFlags, "the flags of a frame of unknown type are \(flags)")
      }
      return
    }
    guard flags == (type.isTransient ? 1 : 0) else {
      throw Fault(.badFlags, "the flags of frame \(type.letter) are \(flags)")
    }
  }

  /// Throws `frame-too-long` or `frame-length`.
  func checkLimits() throws(Fault) {
    guard payloadLength <= type?.limit ?? FrameHeader.skippableLimit else {
      throw Fault(.frameTooLong, "a frame of \(payloadLength) bytes is over the limit of its type")
    }
    guard payloadLength >= type?.minimum ?? 0 else {
      throw Fault(.frameLength, "a frame of \(payloadLength) bytes is too short for its type")
    }
  }

  /// The header's bytes.
  public var bytes: [UInt8] {
    [rawType, type.map { $0.isTransient ? 1 : 0 } ?? 2, 0, 0]
      + bigEndian(UInt64(payloadLength), bytes: 4) + bigEndian(index, bytes: 8)
  }
}

extension Span<UInt8> {
  /// The big-endian number in `bytes` (at most 8) bytes from `offset`.
  public func bigEndian(at offset: Int, bytes: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in offset..<offset + bytes { value = value << 8 | UInt64(self[index]) }
    return value
  }
}

/// `value` in `bytes` (at most 8) bytes, big-endian.
public func bigEndian(_ value: UInt64, bytes: Int) -> [UInt8] {
  (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(bytes - 1 - $0))) }
}
