internal import VaultFrame

/// Header fields in order; names compare without case (RFC 9110 §5.1).
struct HttpHeaders: Sendable {
  private(set) var fields: [(name: String, value: String)]

  init(_ fields: [(name: String, value: String)] = []) { self.fields = fields }

  mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }

  mutating func add(_ others: HttpHeaders) { fields += others.fields }

  /// The first field of that name.
  subscript(_ name: String) -> String? {
    fields.first { isSameName($0.name, name) }?.value
  }

  /// Reads the lines of an answer's head; a line without a colon is skipped, as is the status line.
  init(head: Span<UInt8>) {
    fields = []
    let bytes = head.copied()
    var from = 0
    while let end = bytes[from...].firstIndex(of: UInt8(ascii: "\n")) {
      take(bytes[from..<end])
      from = end + 1
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex
    else { return }
    let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
    var value = line[(colon + 1)...].drop(while: blank)
    while let last = value.last, blank(last) { value.removeLast() }
    add(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }
}

/// Lower case for ASCII only, whatever the locale.
func asciiLowercased(_ text: String) -> String {
  String(decoding: text.utf8.map(asciiLowercased), as: UTF8.self)
}

private func asciiLowercased(_ byte: UInt8) -> UInt8 {
  (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
}

// Without a copy of either.
private func isSameName(_ one: String, _ other: String) -> Bool {
  one.utf8.count == other.utf8.count
    && zip(one.utf8, other.utf8).allSatisfy { asciiLowercased($0) == asciiLowercased($1) }
}
