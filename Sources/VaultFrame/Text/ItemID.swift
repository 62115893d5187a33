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
    guard let id = ItemID(bytes: VaultText.bytes(hex: text.filter { $0 != "-" }) ?? []),
      id.text == text
    else { return nil }
    self = id
  }

  /// The 36 lower-case characters.
  public var text: String {
    var out = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { out += "-" }
      out += hex([byte])
    }
    return out
  }
}
