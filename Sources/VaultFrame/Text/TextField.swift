/// One field of a line of text: its characters and its values (FORMAT 1.1).
enum TextField {
  /// The most bytes of a value that is a text, before it is escaped; a row may have more.
  static let maxBytes = 16 << 10

  /// Writes any bytes but zero after `out`; every byte outside 0x21–0x7E and `%` becomes `%XX`.
  static func escape(_ bytes: [UInt8], to out: inout [UInt8]) {
    out.reserveCapacity(out.count + bytes.reduce(1) { $0 + (isPlain($1) ? 1 : 3) })
    for byte in bytes {
      if isPlain(byte) {
        out.append(byte)
      } else {
        out.append(0x25)
        out.append(upperHex[Int(byte >> 4)])
        out.append(upperHex[Int(byte & 15)])
      }
    }
  }

  /// Reads a field; nil when it is empty, holds a zero byte, or is escaped in another way.
  static func unescape(_ field: String) -> [UInt8]? {
    var out: [UInt8] = []
    var rest = field.utf8.makeIterator()
    guard !field.isEmpty else { return nil }
    while let byte = rest.next() {
      guard byte == 0x25 else {
        guard isPlain(byte) else { return nil }
        out.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(upperHex.firstIndex(of:)),
        let low = rest.next().flatMap(upperHex.firstIndex(of:))
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
