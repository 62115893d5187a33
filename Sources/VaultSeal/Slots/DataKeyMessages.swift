internal import VaultCrypto
internal import VaultFault
internal import VaultFrame

/// The two sealed messages of an item, its body and its manifest: both under the data key, told
/// apart by their contexts (FORMAT 7, 9).
extension DataKey {
  static let bodyContext = "vault/1 body"

  /// Throws `envelope-forged` when the body that an envelope names was not sealed with this key.
  ///
  /// Anyone can make an envelope for a public key that names the body of another item: its MAC is good
  /// under the key in it. What has no body at hand must ask this before it hands the key on.
  func requireBody(of envelope: Envelope) throws(Fault) {
    let head = envelope.body.head
    do throws(Fault) {
      _ = try message(context: DataKey.bodyContext, envelope.item, head: head.span)
    } catch {
      guard error.kind == .bodyDamaged else { throw error }
      throw Fault(.envelopeForged, "the key in the envelope is not that of the body it names")
    }
  }

  /// Begins to seal a message.
  func message(context: String, _ item: ItemID) throws(Fault) -> CobblestoneSealer {
    try withBytes { (key) throws(Fault) in
      try CobblestoneSealer(inputKey: key, context: Array(context.utf8) + item.bytes)
    }
  }

  /// Begins to open a message whose head is this one; throws `body-damaged`.
  func message(
    context: String, _ item: ItemID, head: Span<UInt8>
  ) throws(Fault) -> CobblestoneOpener {
    let head = head.copied()
    return try withBytes { (key) throws(Fault) in
      try CobblestoneOpener(
        inputKey: key, context: Array(context.utf8) + item.bytes, head: head.span)
    }
  }
}
