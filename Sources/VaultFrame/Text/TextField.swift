/// One field of a line of text: its characters and its values (FORMAT 1.1).
enum TextField {
  /// Writes any bytes but zero; every byte outside 0x21–0x7E and `%` becomes `%XX`.
  static func escape(_ bytes: some Sequence<UInt8>) -> String {
    var out: [UInt8] = []
    for byte in bytes {
      if isPlain(byte) {
        out.append(byte)
      } else {
        out += [0x25, upperHex[Int(byte >> 4)], upperHex[Int(byte & 15)]]
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Reads a field; nil when it is empty, holds a zero byte, or is escaped in another way.
  static func unescape(_ field: String) -> [UInt8]? {
    var out: [UInt8] = []
    var rest = Array(field.utf8)[...]
    guard !rest.isEmpty else { return nil }
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        guard isPlain(byte) else { return nil }
        out.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(upperHex.firstIndex(of:)),
        let low = rest.popFirst().flatMap(upperHex.firstIndex(of:))
      else { return nil }
      let value = UInt8(high << 4 | low)
      guard value != 0, !isPlain(value) else { return nil }
      out.append(value)
    }
    return out
  }

  /// A decimal below 2^63 without leading zeros.
  static func number(_ field: String) -> UInt64? {
    guard let value = Int64(field), value >= 0, String(value) == field else { return nil }
    return UInt64(value)
  }

  private static let upperHex = Array("0123456789ABCDEF".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x21 && byte <= 0x7E && byte != 0x25
  }
}
