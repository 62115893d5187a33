public import VaultFault
public import VaultIO

/// Where `vault-put` stores its items: a bucket or a path, with `{item}` and `{target}` to fill in.
public struct Destination: Equatable, Sendable {
  /// The two kinds of places.
  public enum Place: Equatable, Sendable {
    /// `s3://bucket/…`
    case bucket(String)
    /// A path, or a `file:` URL.
    case files
  }

  /// Which store is wanted.
  public let place: Place
  let pieces: [Piece]

  enum Piece: Equatable, Sendable { case text(String), item, target }

  /// The directory that all files go to or below: what stands before the first `{word}`.
  public var directory: Path {
    guard case .text(let text)? = pieces.first else { return "." }
    let name = Array(text.utf8)
    guard let slash = name.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return Path(bytes: slash == 0 ? [UInt8(ascii: "/")] : Array(name[..<slash]))
  }

  /// Whether items need a target in their label.
  public var needsTarget: Bool { pieces.contains(.target) }

  /// Reads an argument: `s3://bucket/key`, a path, or a `file:` URL, the only form that is %-decoded.
  ///
  /// - Throws: `usage` for an unknown `{word}`, another scheme, a bucket or a name that is missing.
  public init(_ text: String) throws(Fault) {
    if let rest = text.droppingPrefix("s3://") {
      let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      let bucket = String(rest[..<slash])
      guard !bucket.isEmpty, !bucket.utf8.contains(UInt8(ascii: "{")) else {
        throw Fault(.usage, "the destination \(quoted(text)) names no bucket")
      }
      place = .bucket(bucket)
      pieces = try Piece.read(String(rest[slash...].dropFirst()))
    } else if let rest = text.droppingPrefix("file:") {
      place = .files
      pieces = try Destination.filePieces(rest)
    } else {
      try SlippedAddress.refuse(text, "the destination", .usage)
      place = .files
      pieces = try Piece.read(text)
    }
    guard !pieces.isEmpty else { throw Fault(.usage, "the destination has no name in it") }
  }

  // RFC 8089: `file:/path`, `file:///path`, `file://localhost/path`.
  private static func filePieces(_ rest: String) throws(Fault) -> [Piece] {
    let path =
      rest.droppingPrefix("//localhost/").map { "/" + $0 }
      ?? rest.droppingPrefix("///").map { "/" + $0 } ?? rest
    guard path.hasPrefix("/"), !path.hasPrefix("//") else {
      throw Fault(.usage, "a file: URL needs a whole path on this machine")
    }
    var pieces: [Piece] = []
    for piece in try Piece.read(path) {
      guard case .text(let text) = piece else {
        pieces.append(piece)
        continue
      }
      guard let decoded = text.percentDecoded else {
        throw Fault(.usage, "a file: URL has a bad % escape")
      }
      pieces.append(.text(decoded))
    }
    return pieces
  }
}

extension Destination.Piece {
  static func read(_ text: String) throws(Fault) -> [Self] {
    var pieces: [Self] = []
    var rest = Array(text.utf8)[...]
    var plain: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")),
        end > rest.startIndex, rest[..<end].allSatisfy(isWordByte)
      else {
        plain.append(byte)
        continue
      }
      let word = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      if !plain.isEmpty { pieces.append(.text(String(decoding: plain, as: UTF8.self))) }
      plain = []
      pieces.append(try named(word))
    }
    return plain.isEmpty ? pieces : pieces + [.text(String(decoding: plain, as: UTF8.self))]
  }

  private static func named(_ word: String) throws(Fault) -> Self {
    switch word {
    case "item": .item
    case "target": .target
    default:
      throw Fault(
        .usage, "the destination has an unknown word \(quoted("{" + word + "}"))",
        hint: "known are {item} and {target}")
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }
}

extension String {
  func droppingPrefix(_ prefix: String) -> String? {
    guard utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  // Nil for a `%` without two hex digits, a NUL, or bytes that are not UTF-8.
  var percentDecoded: String? {
    var out: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        out.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexValue),
        let low = rest.popFirst().flatMap(hexValue), high + low > 0
      else { return nil }
      out.append(high << 4 | low)
    }
    return String(validating: out, as: UTF8.self)
  }
}

private func hexValue(_ byte: UInt8) -> UInt8? {
  Character(Unicode.Scalar(byte)).hexDigitValue.flatMap { UInt8(exactly: $0) }
}
