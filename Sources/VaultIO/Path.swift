internal import VaultFault

/// A path as the system has it: bytes, which need not be UTF-8.
public struct Path: Equatable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The bytes, without the NUL that C puts after them.
  public let bytes: [UInt8]

  /// Takes raw bytes. A NUL in them makes every call that uses the path fail.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Takes the UTF-8 bytes of a string.
  public init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

  /// Takes a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The path as messages show it.
  public var quoted: String { VaultFault.quoted(utf8: bytes) }

  /// The last component; empty when the path ends with a slash.
  public var name: [UInt8] {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes }
    return Array(bytes[(slash + 1)...])
  }

  /// The directory that holds the last component: `.` when no slash says another.
  public var parent: Path {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    let head = bytes[..<slash].reversed().drop { $0 == UInt8(ascii: "/") }
    return head.isEmpty ? "/" : Path(bytes: head.reversed())
  }

  /// Calls `body` with the bytes and a NUL; a NUL within the path is -EINVAL, like the kernel's
  /// answer to any other name that cannot be.
  func withPointer<R: SignedInteger>(_ body: (UnsafePointer<CChar>) -> R) -> R {
    unsafe withCString(bytes, body)
  }
}

func withCString<R: SignedInteger>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> R) -> R {
  if bytes.contains(0) { return -22 }
  let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
  return unsafe terminated.withUnsafeBufferPointer { pointer in
    guard let base = pointer.baseAddress else { return -22 }
    return unsafe body(base)
  }
}
