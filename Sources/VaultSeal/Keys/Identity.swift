public import VaultCrypto
public import VaultFault

/// An X25519 private key, in age's text `AGE-SECRET-KEY-1…`, and the recipient that belongs to it.
///
/// The private half stays in the secure heap; nothing here prints it.
public final class Identity: Sendable {
  /// The private key, 32 bytes.
  public let secret: Secret
  /// The public half.
  public let recipient: Recipient

  private static let prefix = "AGE-SECRET-KEY-"

  /// A fresh identity.
  public convenience init() throws(Fault) { try self.init(secret: X25519.generate()) }

  /// Takes a private key of 32 bytes.
  public init(secret: consuming Secret) throws(Fault) {
    let point = try X25519.publicKey(of: secret)
    self.recipient = try Recipient(publicKey: point)
    self.secret = secret
  }

  /// Reads age's text.
  /// - Throws: ``FaultKind/badKeyFile`` with a reason that shows nothing of the text; age's other
  ///   kinds are named.
  public convenience init(text: Span<UInt8>) throws(Fault) {
    if let kind = ForeignKey.named(text, wanted: .identity) {
      throw Fault(.badKeyFile, "it is \(kind), not an X25519 identity", hint: ForeignKey.hint)
    }
    let decoded = try Bech32.decode(text)
    guard decoded.prefixLength == Identity.prefix.utf8.count,
      ForeignKey.begins(text, Identity.prefix), decoded.payload.count == X25519.byteCount
    else {
      throw Fault(.badKeyFile, "it is not an X25519 identity, AGE-SECRET-KEY-1… of 74 characters")
    }
    try self.init(secret: decoded.payload.copy())
  }

  /// The public key, 32 bytes.
  public var publicKey: [UInt8] { recipient.publicKey }

  /// A second secret with the private key's bytes.
  func copySecret() throws(Fault) -> Secret { try secret.copy() }

  /// The private key as age writes it: 74 characters, without a line end.
  public func text() throws(Fault) -> Secret { try Identity.text(of: secret) }

  private static func text(of secret: borrowing Secret) throws(Fault) -> Secret {
    let lower = try Bech32.encode(prefix: prefix.lowercased(), secret.bytes)
    let span = lower.bytes
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return try Secret(count: span.count) { (out) throws(Fault) in
      for index in span.indices {
        out[index] = letters.contains(span[index]) ? span[index] & 0xdf : span[index]
      }
    }
  }
}
