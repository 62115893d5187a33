/// Lower-case hex of some bytes.
public func hex(_ bytes: some Sequence<UInt8>) -> String {
  var out: [UInt8] = []
  for byte in bytes { out += [lowerHex[Int(byte >> 4)], lowerHex[Int(byte & 15)]] }
  return String(decoding: out, as: UTF8.self)
}

/// The bytes of a lower-case hex string; nil when it is anything else.
public func bytes(hex text: String) -> [UInt8]? {
  let digits = Array(text.utf8)
  guard digits.count.isMultiple(of: 2) else { return nil }
  var out: [UInt8] = []
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = lowerHex.firstIndex(of: digits[index]),
      let low = lowerHex.firstIndex(of: digits[index + 1])
    else { return nil }
    out.append(UInt8(high << 4 | low))
  }
  return out
}

private let lowerHex = Array("0123456789abcdef".utf8)

/// Base64 with the alphabet of RFC 4648 §4.
public enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let pad: UInt8 = 0x3D

  /// Encodes `bytes`; with `padded`, fills the last group with `=`.
  public static func encode(_ bytes: some Sequence<UInt8>, padded: Bool = false) -> String {
    var out: [UInt8] = []
    var (buffer, bits): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      (buffer, bits) = (buffer << 8 | UInt32(byte), bits + 8)
      while bits >= 6 {
        bits -= 6
        out.append(alphabet[Int(buffer >> bits & 63)])
      }
      buffer &= (1 << bits) - 1
    }
    if bits > 0 { out.append(alphabet[Int(buffer << (6 - bits) & 63)]) }
    while padded, !out.count.isMultiple(of: 4) { out.append(pad) }
    return String(decoding: out, as: UTF8.self)
  }

  /// Decodes; nil for another alphabet, other padding, or tail bits that are not zero.
  public static func decode(_ text: String, padded: Bool = false) -> [UInt8]? {
    var out: [UInt8] = []
    var (buffer, bits): (UInt32, UInt32) = (0, 0)
    for digit in text.utf8 where !(padded && digit == pad) {
      guard let value = alphabet.firstIndex(of: digit) else { return nil }
      (buffer, bits) = (buffer << 6 | UInt32(value), bits + 6)
      guard bits >= 8 else { continue }
      bits -= 8
      out.append(UInt8(truncatingIfNeeded: buffer >> bits))
      buffer &= (1 << bits) - 1
    }
    return encode(out, padded: padded) == text ? out : nil
  }
}
