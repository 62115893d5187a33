/// Header fields in order; names compare without case (RFC 9110 §5.1).
struct HttpHeaders: Sendable {
  private(set) var fields: [(name: String, value: String)]

  init(_ fields: [(name: String, value: String)] = []) { self.fields = fields }

  mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }

  mutating func add(_ others: HttpHeaders) { fields += others.fields }

  /// The first field of that name.
  subscript(_ name: String) -> String? {
    let wanted = asciiLowercased(name)
    return fields.first { asciiLowercased($0.name) == wanted }?.value
  }

  /// Reads the lines of an answer's head; a line without a colon is skipped, as is the status line.
  init(head: Span<UInt8>) {
    fields = []
    var line: [UInt8] = []
    for index in 0..<head.count {
      if head[index] != UInt8(ascii: "\n") {
        line.append(head[index])
        continue
      }
      take(line)
      line = []
    }
  }

  private mutating func take(_ line: [UInt8]) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return }
    let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
    var value = line[(colon + 1)...].drop(while: blank)
    while let last = value.last, blank(last) { value.removeLast() }
    add(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }
}

/// Lower case for ASCII only, whatever the locale.
func asciiLowercased(_ text: String) -> String {
  String(decoding: text.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
}
