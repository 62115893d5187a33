/// One argument of the command line, with exactly the bytes that were given.
///
/// Paths and object keys need not be UTF-8, so nothing here goes through `String` unless asked.
public struct Argument: Equatable, Hashable, Sendable {
  /// The bytes, without the terminating NUL.
  public let bytes: [UInt8]

  /// Takes raw bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Takes a string's UTF-8 bytes.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The argument as text, or nil if its bytes are not UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }

  /// `-`: standard input, or standard output where an output is named.
  public var isDash: Bool { bytes == [UInt8(ascii: "-")] }
}
