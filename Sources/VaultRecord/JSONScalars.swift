// The two forms that have a grammar of their own: numbers (RFC 8259 §6) and strings (§7).
extension JSONReader {
  mutating func number() throws(JSONError) -> String {
    let start = at
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    return String(decoding: text[start..<at], as: UTF8.self)
  }

  private mutating func digits() throws(JSONError) {
    let start = at
    while let byte = next, 0x30...0x39 ~= byte { at += 1 }
    guard at > start else { throw error(start == text.count ? "it ends early" : "not a value") }
  }

  mutating func string() throws(JSONError) -> String {
    let start = at
    at += 1
    var out: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        at += 1
        if let string = String(validating: out, as: UTF8.self) { return string }
        at = start
        throw error("a string is not UTF-8")
      case UInt8(ascii: "\\"): try escape(into: &out)
      case 0..<0x20: throw error("a control character in a string")
      default:
        out.append(byte)
        at += 1
      }
    }
    throw error("it ends early")
  }

  private mutating func escape(into out: inout [UInt8]) throws(JSONError) {
    at += 1
    guard let letter = next else { throw error("it ends early") }
    let plain: UInt8
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = letter
    case UInt8(ascii: "b"): plain = 0x08
    case UInt8(ascii: "f"): plain = 0x0C
    case UInt8(ascii: "n"): plain = 0x0A
    case UInt8(ascii: "r"): plain = 0x0D
    case UInt8(ascii: "t"): plain = 0x09
    case UInt8(ascii: "u"):
      at += 1
      out += Array(String(Character(try scalar())).utf8)
      return
    default: throw error("an unknown escape")
    }
    at += 1
    out.append(plain)
  }

  // Four hex digits; a high surrogate must be followed by the escape of a low one.
  private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard 0xD800..<0xDC00 ~= first, take("\\"), take("u") else { throw error("a lone surrogate") }
    let second = try unit()
    guard 0xDC00..<0xE000 ~= second else { throw error("a lone surrogate") }
    let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
    guard let scalar = Unicode.Scalar(value) else { throw error("a lone surrogate") }
    return scalar
  }

  private mutating func unit() throws(JSONError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("four hex digits are missing")
      }
      value = value << 4 | UInt16(digit)
      at += 1
    }
    return value
  }
}
