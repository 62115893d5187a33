internal import VaultCrypto
internal import VaultFault
internal import VaultFrame

/// The two sealed messages of an item, its body and its manifest: both under the data key, told
/// apart by their contexts (FORMAT 7, 9).
extension DataKey {
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
