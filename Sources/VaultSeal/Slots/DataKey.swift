public import VaultCrypto
public import VaultFault

/// The key of one item: 32 bytes, made for it and used for nothing else (FORMAT 6).
public final class DataKey: Sendable {
  /// Length in bytes.
  public static let length = 32
  private let secret: Secret

  /// A fresh random key.
  public convenience init() throws(Fault) { try self.init(Secret(random: DataKey.length)) }

  /// Takes a key out of a slot; throws `slot-damaged` for another length.
  public init(_ secret: consuming Secret) throws(Fault) {
    guard secret.count == DataKey.length else {
      throw Fault(.slotDamaged, "the data key in a slot does not have 32 bytes")
    }
    self.secret = secret
  }

  /// Lends the key's bytes.
  public func withBytes<Result: ~Copyable>(
    _ body: (Span<UInt8>) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    try DataKey.lend(secret, to: body)
  }

  private static func lend<Result: ~Copyable>(
    _ secret: borrowing Secret, to body: (Span<UInt8>) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    try body(secret.bytes)
  }
}
