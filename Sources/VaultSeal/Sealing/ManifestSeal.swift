internal import VaultCrypto
internal import VaultFault
internal import VaultFrame

/// The manifest as a sealed message of one chunk (FORMAT 9).
extension Manifest {
  private static let context = "vault/1 manifest"

  /// The payload of the manifest's frame.
  ///
  /// Throws `too-large` past 16,383 bytes, and `manifest-malformed` when a reader would refuse the text:
  /// nothing is sealed that cannot be opened.
  func sealed(item: ItemID, with key: DataKey) throws(Fault) -> [UInt8] {
    let text = try writtenPayload()
    var message = try key.message(context: Manifest.context, item)
    let head = message.head
    var sealed = [UInt8](
      repeating: 0, count: head.count + text.count + BodyLayout.tagBytes)
    sealed.replace(at: 0, with: head.span)
    var offset = head.count
    try message.push(text.span, into: &sealed, at: &offset)
    try message.finish(into: &sealed, at: &offset)
    return sealed
  }

  /// Opens the payload of a manifest's frame; throws `manifest-damaged` or `manifest-malformed`.
  static func opening(
    _ payload: Span<UInt8>, item: ItemID, with key: DataKey
  ) throws(Fault) -> Manifest {
    let head = payload.extracting(0..<BodyLayout.headBytes)
    let chunk = payload.extracting(BodyLayout.headBytes..<payload.count)
    var text = [UInt8](repeating: 0, count: chunk.count - BodyLayout.tagBytes)
    var offset = 0
    do throws(Fault) {
      var message = try key.message(context: context, item, head: head)
      try message.open(chunk: chunk, number: 0, isLast: true, into: &text, at: &offset)
    } catch { throw Fault(.manifestDamaged, "the manifest is damaged") }
    return try Manifest(parsing: text.span)
  }
}
