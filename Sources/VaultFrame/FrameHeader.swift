internal import VaultFault

/// The 16 bytes before each payload (FORMAT 3).
public struct FrameHeader: Equatable, Sendable {
  /// Length of a header in bytes.
  public static let length = 16

  /// The type.
  public let type: FrameType
  /// Bytes of payload that follow.
  public let payloadLength: Int
  /// The index; its meaning depends on the type.
  public let index: UInt64

  /// The header of a frame; its flags follow from the type.
  public init(_ type: FrameType, payloadLength: Int, index: UInt64) {
    self.type = type
    self.payloadLength = payloadLength
    self.index = index
  }

  /// True when the frame belongs to the pipe.
  public var isTransient: Bool { type.isTransient }

  /// Reads a header; `bytes` holds exactly 16.
  ///
  /// Throws `unknown-frame`, `bad-flags`, `bad-reserved`, `frame-too-long` or `frame-length`.
  init(parsing bytes: Span<UInt8>) throws(Fault) {
    guard let type = FrameType(rawValue: bytes[0]) else {
      throw Fault(
        .unknownFrame, "a frame of unknown type \(bytes[0])",
        hint: "it may be made by a newer version of the tools")
    }
    self.type = type
    payloadLength = Int(bytes.bigEndian(at: 4, bytes: 4))
    index = bytes.bigEndian(at: 8, bytes: 8)
    guard bytes[1] == flags else {
      throw Fault(.badFlags, "the flags of frame \(type.letter) are \(bytes[1])")
    }
    guard bytes[2] == 0, bytes[3] == 0 else {
      throw Fault(.badReserved, "a reserved byte of a frame is not zero")
    }
    try checkLimits()
  }

  private var flags: UInt8 { isTransient ? 1 : 0 }

  /// Throws `frame-too-long` or `frame-length`.
  func checkLimits() throws(Fault) {
    guard payloadLength <= type.limit else {
      throw Fault(.frameTooLong, "a frame of \(payloadLength) bytes is over the limit of its type")
    }
    guard payloadLength >= type.minimum else {
      throw Fault(.frameLength, "a frame of \(payloadLength) bytes is too short for its type")
    }
  }

  /// The header's bytes.
  public var bytes: [UInt8] {
    [type.rawValue, flags, 0, 0] + bigEndian(UInt64(payloadLength), bytes: 4)
      + bigEndian(index, bytes: 8)
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
