internal import VaultText

/// The id of an item: a UUID, not nil (FORMAT 1).
public struct ItemID: Hashable, Sendable {
  /// The 16 raw bytes, in the order of the text.
  public let bytes: [UInt8]

  /// Takes 16 bytes that are not all zero.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16, bytes.contains(where: { $0 != 0 }) else { return nil }
    self.bytes = bytes
  }

  /// A random id, version 4 of RFC 9562, from 16 random bytes.
  public init?(random bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    var bytes = bytes
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    self.init(bytes: bytes)
  }

  /// Reads 36 lower-case characters.
  public init?(_ text: String) {
    guard text.utf8.count == 36 else { return nil }
    var digits = Array(text.utf8)
    for place in ItemID.hyphens.reversed() {
      guard digits.remove(at: place) == UInt8(ascii: "-") else { return nil }
    }
    self.init(bytes: VaultText.bytes(hex: String(decoding: digits, as: UTF8.self)) ?? [])
  }

  /// The 36 lower-case characters.
  public var text: String {
    var out = Array(hex(bytes).utf8)
    for place in ItemID.hyphens { out.insert(UInt8(ascii: "-"), at: place) }
    return String(decoding: out, as: UTF8.self)
  }

  private static let hyphens = [8, 13, 18, 23]
}
