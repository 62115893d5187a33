/// Bytes as lower-case hex.
public func hex(_ bytes: Span<UInt8>) -> String {
  var digits: [UInt8] = []
  digits.reserveCapacity(bytes.count * 2)
  for index in bytes.indices {
    digits.append(hexDigit(bytes[index] >> 4))
    digits.append(hexDigit(bytes[index] & 15))
  }
  return String(decoding: digits, as: UTF8.self)
}

/// Bytes as lower-case hex.
public func hex(_ bytes: [UInt8]) -> String { hex(bytes.span) }

/// The bytes of lower-case hex, or nil: an odd length, upper case and anything else is refused.
public func bytes(hex text: String) -> [UInt8]? {
  let digits = Array(text.utf8)
  guard digits.count.isMultiple(of: 2) else { return nil }
  var out: [UInt8] = []
  out.reserveCapacity(digits.count / 2)
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else {
      return nil
    }
    out.append(high << 4 | low)
  }
  return out
}

/// Decodes hex of either case into a buffer of exactly half its length, so that a key leaves no
/// copy; false when the text is refused, and then the buffer may hold a part.
public func decode(hex text: Span<UInt8>, into out: inout MutableSpan<UInt8>) -> Bool {
  guard text.count == out.count * 2 else { return false }
  for index in out.indices {
    guard let high = hexValue(text[index * 2], anyCase: true),
      let low = hexValue(text[index * 2 + 1], anyCase: true)
    else { return false }
    out[index] = high << 4 | low
  }
  return true
}

private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}

private func hexValue(_ digit: UInt8, anyCase: Bool = false) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F") where anyCase: digit - UInt8(ascii: "A") + 10
  default: nil
  }
}
