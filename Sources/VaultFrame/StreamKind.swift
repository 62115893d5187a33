internal import VaultFault

/// The kind of an item, as its prologue says (FORMAT 2).
public enum StreamKind: UInt8, CaseIterable, Sendable {
  /// Data on its way to be sealed.
  case plain = 0x70
  /// A sealed object; the only kind that may be at rest.
  case sealed = 0x73
  /// The bytes of a sealed object, cut for upload.
  case parts = 0x63
  /// The parts of a sealed object that a range needs.
  case slice = 0x72
  /// Reserved.
  case foreign = 0x66
  /// The begin of a batch; has no frames.
  case begin = 0x62
  /// The end of a batch; has one frame.
  case end = 0x65

  /// The word that messages use.
  public var word: String {
    switch self {
    case .plain: "plain"
    case .sealed: "sealed"
    case .parts: "parts"
    case .slice: "slice"
    case .foreign: "foreign"
    case .begin: "batch begin"
    case .end: "batch end"
    }
  }
}

/// The 8 bytes before each item (FORMAT 2).
public enum Prologue {
  /// Length in bytes.
  public static let length = 8
  private static let magic: [UInt8] = Array("VAULT".utf8)
  private static let version: UInt8 = 1
  private static let lineFeed: UInt8 = 0x0A

  /// The prologue of an item of this kind.
  public static func bytes(_ kind: StreamKind) -> [UInt8] {
    magic + [version, kind.rawValue, lineFeed]
  }

  /// Reads the kind; `bytes` holds exactly 8.
  ///
  /// Throws `text-damage`, `not-a-stream`, `unsupported-version` or `unknown-kind`.
  static func kind(in bytes: Span<UInt8>) throws(Fault) -> StreamKind {
    if isTextDamage(bytes) {
      throw Fault(
        .textDamage, "the input was changed by a copy in text mode",
        hint: "copy the file again in binary mode")
    }
    guard bytes[0..<5, equals: magic] else {
      throw Fault(.notAStream, "the input is not a vault stream")
    }
    guard bytes[5] == version else {
      throw Fault(
        .unsupportedVersion, "the input has format version \(bytes[5]), this tool reads version 1",
        hint: "it was made by a newer version of the tools")
    }
    guard bytes[7] == lineFeed else {
      throw Fault(.notAStream, "the input is not a vault stream")
    }
    guard let kind = StreamKind(rawValue: bytes[6]) else {
      throw Fault(.unknownKind, "the input has a stream kind that this tool does not know")
    }
    return kind
  }

  private static func isTextDamage(_ bytes: Span<UInt8>) -> Bool {
    let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
    if marks.contains(where: { bytes[0..<$0.count, equals: $0] }) { return true }
    let wide: [[UInt8]] = [[0x56, 0, 0x41, 0], [0, 0x56, 0, 0x41]]
    if wide.contains(where: { bytes[0..<4, equals: $0] }) { return true }
    return bytes[0..<5, equals: magic] && bytes[7] == 0x0D
  }
}

extension Span<UInt8> {
  /// True when the bytes in `range` are these.
  subscript(range: Range<Int>, equals other: [UInt8]) -> Bool {
    guard range.count == other.count, range.upperBound <= count else { return false }
    for index in 0..<other.count where self[range.lowerBound + index] != other[index] {
      return false
    }
    return true
  }

  /// A copy of the bytes.
  public func copied() -> [UInt8] {
    unsafe withUnsafeBytes { unsafe Array($0) }
  }
}
