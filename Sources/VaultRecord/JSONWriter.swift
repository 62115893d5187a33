/// Writes one compact JSON object: members in the order of the calls, no spaces, `/` not escaped.
///
/// Members whose value is nil are left out.
public struct JSONWriter {
  private var out: [UInt8] = [UInt8(ascii: "{")]

  /// An object without members.
  public init() {}

  /// The object's bytes, without a line end.
  public consuming func finish() -> [UInt8] { out + [UInt8(ascii: "}")] }

  /// Adds a string.
  public mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    self.name(name)
    quote(value)
  }

  /// Adds a number.
  public mutating func add(_ name: String, _ value: UInt64?) {
    guard let value else { return }
    add(name, raw: Array(String(value).utf8))
  }

  /// Adds a truth.
  public mutating func add(_ name: String, _ value: Bool?) {
    guard let value else { return }
    add(name, raw: Array((value ? "true" : "false").utf8))
  }

  /// Adds bytes that are JSON already: another object, or a caller's own row.
  public mutating func add(_ name: String, raw value: [UInt8]?) {
    guard let value else { return }
    self.name(name)
    out += value
  }

  private mutating func name(_ name: String) {
    if out.count > 1 { out.append(UInt8(ascii: ",")) }
    quote(name)
    out.append(UInt8(ascii: ":"))
  }

  /// A text as a JSON string, quotes included.
  static func quoted(_ text: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.out = []
    writer.quote(text)
    return writer.out
  }

  /// Texts as a JSON array.
  static func list(_ texts: [String]) -> [UInt8] {
    [UInt8(ascii: "[")] + texts.map(quoted).joined(separator: [UInt8(ascii: ",")])
      + [UInt8(ascii: "]")]
  }

  private mutating func quote(_ text: String) {
    out.append(UInt8(ascii: "\""))
    for byte in text.utf8 { escape(byte) }
    out.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
    case 0x0A: out += Array("\\n".utf8)
    case 0x0D: out += Array("\\r".utf8)
    case 0x09: out += Array("\\t".utf8)
    case 0..<0x20, 0x7F: control(byte)
    // U+0080 to U+009F, C2 80 to C2 9F in UTF-8, drive a terminal as well.
    case 0x80...0x9F where out.last == 0xC2:
      out.removeLast()
      control(byte)
    default: out.append(byte)
    }
  }

  private mutating func control(_ byte: UInt8) {
    let digits = Array("0123456789abcdef".utf8)
    out += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
