/// Base64 in the standard alphabet (RFC 4648, clause 4), strict in both directions.
public enum Base64 {
  /// The text of bytes, with or without the `=` at its end.
  public static func encode(_ bytes: [UInt8], padded: Bool = false) -> String {
    let digits = padded ? (bytes.count + 2) / 3 * 4 : (bytes.count * 4 + 2) / 3
    var out = [UInt8](repeating: pad, count: digits)
    var word: UInt32 = 0
    var bits: UInt32 = 0
    var place = 0
    for byte in bytes {
      word = word << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        out[place] = alphabet[Int(word >> bits & 63)]
        place += 1
      }
    }
    if bits > 0 { out[place] = alphabet[Int(word << (6 - bits) & 63)] }
    return String(decoding: out, as: UTF8.self)
  }

  /// The bytes of a text, or nil.
  ///
  /// Refused: any other character (spaces and line ends too), padding that is missing when `padded`
  /// or present when not, and tail bits that are not zero; so each value has one text only.
  public static func decode(_ text: String, padded: Bool = false) -> [UInt8]? {
    let digits = Array(text.utf8)
    var out = [UInt8](repeating: 0, count: digits.count / 4 * 3 + 2)
    var span = out.mutableSpan
    guard let count = decode(digits.span, padded: padded, into: &span) else { return nil }
    return Array(out[..<count])
  }

  /// The same into a buffer of the caller, so that a key leaves no copy; the number of bytes, or nil
  /// when the text is refused or does not fit. A refused text may leave bytes in the buffer.
  public static func decode(
    _ text: Span<UInt8>, padded: Bool, into out: inout MutableSpan<UInt8>
  ) -> Int? {
    guard let digits = digitCount(text, padded: padded), digits * 6 / 8 <= out.count else {
      return nil
    }
    var count = 0
    var word: UInt32 = 0
    var bits: UInt32 = 0
    for index in 0..<digits {
      guard let value = value(text[index]) else { return nil }
      word = word << 6 | UInt32(value)
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      out[count] = UInt8(truncatingIfNeeded: word >> bits)
      count += 1
      word &= (1 << bits) - 1
    }
    return word == 0 ? count : nil
  }

  // Without the padding, whose length follows from the rest.
  private static func digitCount(_ text: Span<UInt8>, padded: Bool) -> Int? {
    var count = text.count
    if padded {
      guard count.isMultiple(of: 4) else { return nil }
      for _ in 0..<2 where count > 0 && text[count - 1] == pad { count -= 1 }
    }
    return count % 4 == 1 ? nil : count
  }

  private static let pad = UInt8(ascii: "=")

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
