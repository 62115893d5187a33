/// A user's string as messages show it: in double quotes, on one line, printable.
///
/// Quotes and backslashes get a backslash; control characters, DEL and bytes that are not UTF-8 are
/// written `\xNN`. Longer than 200 bytes: cut, with `…` after the closing quote.
public func quoted(_ text: some StringProtocol) -> String { quoted(utf8: Array(text.utf8)) }

/// The same for raw bytes (a path, an object key).
public func quoted(utf8 bytes: [UInt8]) -> String {
  let limit = 200
  var out = "\""
  for scalar in String(decoding: bytes.prefix(limit), as: UTF8.self).unicodeScalars {
    switch scalar {
    case "\"", "\\": out += "\\" + String(scalar)
    case "\u{20}"..."\u{7e}": out.unicodeScalars.append(scalar)
    case "\u{a1}"... where !isInvisible(scalar): out.unicodeScalars.append(scalar)
    default: for byte in String(scalar).utf8 { out += "\\x" + hexPair(byte) }
    }
  }
  return out + (bytes.count > limit ? "\"…" : "\"")
}

// Characters that move the cursor or reverse the reading direction could forge a message.
private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
  default: false
  }
}

private func hexPair(_ byte: UInt8) -> String {
  let digits = Array("0123456789abcdef")
  return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
}
