/// A user's string as messages show it: in double quotes, on one line, printable.
///
/// Quotes and backslashes get a backslash; control characters, DEL and bytes that are not UTF-8 are
/// written `\xNN`. Longer than 200 bytes: cut, with `…` after the closing quote.
public func quoted(_ text: some StringProtocol) -> String { quoted(utf8: Array(text.utf8)) }

/// The same for raw bytes (a path, an object key).
public func quoted(utf8 bytes: [UInt8]) -> String {
  let limit = 200
  var out = "\""
  var index = 0
  while index < bytes.count {
    let scalar = scalar(at: index, of: bytes)
    let length = scalar.map { String($0).utf8.count } ?? 1
    guard index + length <= limit else { return out + "\"…" }
    out += scalar.map(shown) ?? escaped(bytes[index])
    index += length
  }
  return out + "\""
}

private func scalar(at index: Int, of bytes: [UInt8]) -> Unicode.Scalar? {
  let length = [0xc0, 0xe0, 0xf0].reduce(1) { $0 + (bytes[index] >= $1 ? 1 : 0) }
  guard index + length <= bytes.count else { return nil }
  return String(validating: bytes[index..<index + length], as: UTF8.self)?.unicodeScalars.first
}

private func shown(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\"", "\\": "\\" + String(scalar)
  case "\u{20}"..."\u{7e}": String(scalar)
  case "\u{a1}"... where !isInvisible(scalar): String(scalar)
  default: String(scalar).utf8.map(escaped).joined()
  }
}

// Characters that move the cursor or reverse the reading direction could forge a message.
private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
  default: false
  }
}

private func escaped(_ byte: UInt8) -> String {
  let digits = Array("0123456789abcdef")
  return "\\x" + String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
}
