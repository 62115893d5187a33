/// Why a text is not JSON: the offset of the first byte that cannot be right, and a reason.
public struct JSONError: Error, Equatable, Sendable {
  /// Bytes from the start of the text.
  public let offset: Int
  /// A few lower-case words.
  public let reason: String
}

/// A strict reader of one JSON text (RFC 8259).
///
/// It refuses what other readers let pass: duplicate names (compared unescaped, byte for byte), bytes
/// that are not UTF-8, a byte order mark, lone surrogates, trailing commas, more than 64 levels, an
/// object of more than 10,000 members.
/// Numbers stay text and every value knows its span, so a row can be given back byte for byte. A value
/// takes many times the memory of its text, so who looks at the outer levels only keeps no others.
public struct JSONReader {
  /// Levels of arrays and objects that may be open at once.
  public static let maximumDepth = 64
  /// Members that one object may have.
  public static let maximumMembers = 10_000

  let text: [UInt8]
  var at = 0
  var depth = 0
  private let levels: Int

  private init(_ text: [UInt8], _ levels: Int) {
    self.text = text
    self.levels = levels
  }

  /// Reads a text that is one value, with white space around it and nothing else; of arrays and
  /// objects only the outer `levels` are kept.
  public static func read(
    _ text: [UInt8], levels: Int = maximumDepth
  ) throws(JSONError) -> JSONValue {
    var reader = JSONReader(text, levels)
    reader.skipSpace()
    let value = try reader.value()
    reader.skipSpace()
    guard reader.at == text.count else { throw reader.error("more after the value") }
    return value
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    let start = at
    let form: JSONValue.Form =
      switch next {
      case UInt8(ascii: "{"): try nested { reader throws(JSONError) in try reader.object() }
      case UInt8(ascii: "["): try nested { reader throws(JSONError) in try reader.array() }
      case UInt8(ascii: "\""): .string(try string())
      case UInt8(ascii: "t"): try word("true", .bool(true))
      case UInt8(ascii: "f"): try word("false", .bool(false))
      case UInt8(ascii: "n"): try word("null", .null)
      case nil: throw error("it ends early")
      default: .number(try number())
      }
    return JSONValue(form: form, span: start..<at)
  }

  private mutating func nested(
    _ read: (inout JSONReader) throws(JSONError) -> JSONValue.Form
  ) throws(JSONError) -> JSONValue.Form {
    guard depth < JSONReader.maximumDepth else { throw error("nested too deeply") }
    depth += 1
    defer { depth -= 1 }
    at += 1
    skipSpace()
    return try read(&self)
  }

  private mutating func array() throws(JSONError) -> JSONValue.Form {
    var values: [JSONValue] = []
    if take("]") { return kept(.array(values)) }
    while true {
      let value = try value()
      if depth <= levels { values.append(value) }
      if try endsList("]") { return kept(.array(values)) }
    }
  }

  private mutating func object() throws(JSONError) -> JSONValue.Form {
    var members: [JSONMember] = []
    var names: Set<[UInt8]> = []
    if take("}") { return kept(.object(members)) }
    while true {
      let start = at
      guard next == UInt8(ascii: "\"") else { throw error("a member's name is missing") }
      let name = try string()
      guard names.insert(Array(name.utf8)).inserted else {
        at = start
        throw error("a member's name comes twice")
      }
      guard names.count <= JSONReader.maximumMembers else {
        throw error("more than \(JSONReader.maximumMembers) members")
      }
      skipSpace()
      guard take(":") else { throw error("a colon is missing") }
      skipSpace()
      let value = try value()
      if depth <= levels {
        members.append(JSONMember(name: name, value: value, span: start..<at))
      }
      if try endsList("}") { return kept(.object(members)) }
    }
  }

  private func kept(_ form: JSONValue.Form) -> JSONValue.Form {
    depth <= levels ? form : .passed
  }

  // After an element: true at the closing bracket, false after a comma.
  private mutating func endsList(_ close: Unicode.Scalar) throws(JSONError) -> Bool {
    skipSpace()
    if take(close) { return true }
    guard take(",") else { throw error("a comma is missing") }
    skipSpace()
    return false
  }

  private mutating func word(
    _ word: String, _ form: JSONValue.Form
  ) throws(JSONError) -> JSONValue.Form {
    for byte in word.utf8 {
      guard next == byte else { throw error("an unknown word") }
      at += 1
    }
    return form
  }

  var next: UInt8? { at < text.count ? text[at] : nil }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: scalar) else { return false }
    at += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { at += 1 }
  }

  func error(_ reason: String) -> JSONError { JSONError(offset: at, reason: reason) }
}
