internal import VaultText

/// A line of a sums file, as sha256sum writes it: hex, two spaces, the name.
///
/// A name with a backslash, LF or CR is written with `\\`, `\n`, `\r`, and the line then begins with a
/// backslash (GNU coreutils, checksum output).
public struct SumLine: Equatable, Sendable {
  /// SHA3-256 or SHA-256, 32 bytes; the line does not say which.
  public let digest: [UInt8]
  /// The name, any bytes.
  public let name: [UInt8]

  private static let backslash = UInt8(ascii: "\\")
  private static let escapes: [UInt8: UInt8] = [
    backslash: backslash, 0x0A: UInt8(ascii: "n"), 0x0D: UInt8(ascii: "r"),
  ]

  /// Takes both.
  public init(digest: [UInt8], name: [UInt8]) {
    self.digest = digest
    self.name = name
  }

  /// Reads a line without its LF; a CR at its end is dropped. Nil when it is no such line.
  public init?(_ line: ArraySlice<UInt8>) {
    var rest = line.last == 0x0D ? line.dropLast() : line
    let isEscaped = rest.first == SumLine.backslash
    if isEscaped { rest = rest.dropFirst() }
    let text = String(decoding: rest.prefix(64), as: UTF8.self).lowercased()
    let separator = Array(rest.dropFirst(64).prefix(2))
    guard let digest = VaultText.bytes(hex: text), digest.count == 32, rest.count > 66,
      separator == Array("  ".utf8) || separator == Array(" *".utf8)
    else { return nil }
    let name = Array(rest.dropFirst(66))
    guard let plain = isEscaped ? SumLine.unescape(name) : name else { return nil }
    self.init(digest: digest, name: plain)
  }

  /// The line, with its LF.
  public var bytes: [UInt8] {
    let isEscaped = name.contains { SumLine.escapes[$0] != nil }
    return (isEscaped ? [SumLine.backslash] : []) + Array((hex(digest) + "  ").utf8)
      + SumLine.escape(name) + [0x0A]
  }

  /// The name as `--check` shows it: escaped when it has to be.
  public var shownName: [UInt8] {
    let isEscaped = name.contains { SumLine.escapes[$0] != nil }
    return (isEscaped ? [SumLine.backslash] : []) + SumLine.escape(name)
  }

  private static func escape(_ name: [UInt8]) -> [UInt8] {
    name.flatMap { byte in escapes[byte].map { [backslash, $0] } ?? [byte] }
  }

  private static func unescape(_ name: [UInt8]) -> [UInt8]? {
    var out: [UInt8] = []
    var rest = name[...]
    while let byte = rest.popFirst() {
      guard byte == backslash else {
        out.append(byte)
        continue
      }
      guard let escaped = rest.popFirst(),
        let plain = escapes.first(where: { $0.value == escaped })?.key
      else { return nil }
      out.append(plain)
    }
    return out
  }
}
