internal import VaultCrypto
public import VaultFault

/// Someone who can open what is sealed to them: an X25519 public key, in age's text `age1…`.
public struct Recipient: Hashable, Sendable {
  /// The point: 32 bytes, canonical, not of low order.
  public let publicKey: [UInt8]
  /// The same as age writes it, 62 characters.
  public let text: String

  /// Takes a public key and tries it, so that a bad one is known before any input is read.
  /// - Throws: ``FaultKind/badRecipient`` for a point that is not canonical or of low order.
  public init(publicKey: [UInt8]) throws(Fault) {
    try X25519.check(publicKey)
    let encoded = try Bech32.encode(prefix: "age", publicKey.span)
    self.publicKey = publicKey
    let span = encoded.bytes
    self.text = String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
  }

  /// Reads age's text.
  /// - Throws: ``FaultKind/badRecipient``; age's other kinds are named. The text is not repeated,
  ///   since it may be a secret pasted into the wrong place.
  public init(text: String) throws(Fault) {
    let bytes = Array(text.utf8)
    try self.init(text: bytes.span)
  }

  /// Reads age's text from bytes.
  public init(text: Span<UInt8>) throws(Fault) {
    if let kind = ForeignKey.named(text, wanted: .recipient) {
      throw Fault(.badRecipient, "it is \(kind), not an X25519 recipient", hint: ForeignKey.hint)
    }
    let point: [UInt8]
    do throws(Fault) {
      let decoded = try Bech32.decode(text)
      let span = decoded.payload.bytes
      guard decoded.prefixLength == 3, ForeignKey.begins(text, "age"),
        span.count == X25519.byteCount
      else {
        throw Fault(.badKeyFile, "it is not an X25519 recipient, age1… of 62 characters")
      }
      point = span.indices.map { span[$0] }
    } catch {
      throw Fault(.badRecipient, error.reason)
    }
    try self.init(publicKey: point)
  }
}
