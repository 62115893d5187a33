internal import VaultCrypto
internal import VaultDigest
public import VaultFault
public import VaultFrame
internal import VaultText

/// What of an envelope needs a hash or a key: its check and its MAC (FORMAT 8).
extension Envelope {
  /// Makes the envelope of an item; no slots makes a detached one.
  ///
  /// Throws `usage` for more than 64 slots, `too-large` past 16 KiB.
  static func sealing(
    item: ItemID, body: BodyID, slots: [Slot], with key: DataKey
  ) throws(Fault) -> Envelope {
    guard slots.count <= maxSlots else {
      throw Fault(.usage, "an item can have at most \(maxSlots) readers, not \(slots.count)")
    }
    let made = try Envelope(
      item: item, body: body, slots: slots, check: checkBytes,
      mac: { (text) throws(Fault) in try macBytes(text, key) })
    guard made.payload.count <= FrameType.envelope.limit else {
      throw Fault(.tooLarge, "the envelope of the item would have more than 16 KiB")
    }
    return made
  }

  /// Throws `envelope-damaged` when the check is not that of the lines before it.
  public func verifyCheck() throws(Fault) {
    guard try Envelope.checkBytes(checked) == check else {
      throw Fault(.envelopeDamaged, "the envelope is damaged")
    }
  }

  /// Throws `envelope-forged` when the MAC is not that of this key.
  func authenticate(with key: DataKey) throws(Fault) {
    let expected = try Envelope.macBytes(authenticated, key)
    guard equalConstantTime(expected.span, mac.span) else {
      throw Fault(.envelopeForged, "the envelope was changed by someone who does not hold its key")
    }
  }

  private static func checkBytes(_ text: [UInt8]) throws(Fault) -> [UInt8] {
    Array(try Digest.of(text.span, .sha256)[..<16])
  }

  private static func macBytes(_ text: [UInt8], _ key: DataKey) throws(Fault) -> [UInt8] {
    let info = label("vault/1 envelope mac")
    let macKey = try key.withBytes { (bytes) throws(Fault) in
      try HKDF.expandSHA512(key: bytes, info: info.span, count: 32)
    }
    return try HMAC.sha256(key: macKey.bytes, text.span)
  }
}
