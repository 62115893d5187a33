import TestVectors
import VaultCrypto
import VaultFault
import VaultFrame

@testable import VaultSeal

extension VectorFile {
  /// The keys at hand.
  func keyring() throws -> Keyring {
    var openers: [any SlotOpener] = []
    for text in all("identity") {
      let bytes = Array(text.utf8)
      openers.append(try Identity(text: bytes.span))
    }
    for text in all("kek") {
      let bytes = unhex(text) ?? []
      openers.append(try KeyEncryptionKey(Secret(copying: bytes.span)))
    }
    for text in all("master") { openers.append(try MasterKey(unhex(text) ?? [])) }
    return try Keyring(openers)
  }

  /// What the caller says must come.
  func expectation() throws(Fault) -> Expectation {
    var expected = Expectation()
    expected.item = self["want-item"].flatMap { ItemID($0) }
    expected.sha3 = self["want-sha3-256"].flatMap(unhex)
    if let text = self["envelope-override"] {
      try expected.add(envelope: String(decoding: unescape(text), as: UTF8.self))
    }
    return expected
  }

  private func unescape(_ text: String) -> [UInt8] {
    let parts = text.split(separator: "%", omittingEmptySubsequences: false)
    return Array(parts[0].utf8)
      + parts.dropFirst().flatMap {
        (unhex(String($0.prefix(2))) ?? []) + Array($0.dropFirst(2).utf8)
      }
  }
}

/// The master key of a space, as FORMAT 8 has it.
final class MasterKey: SlotOpener {
  private let bytes: [UInt8]
  let wrapping: SaltedWrapping

  init(_ bytes: [UInt8]) throws(Fault) {
    self.bytes = bytes
    wrapping = try SaltedWrapping(
      Secret(copying: bytes.span), kind: "space", label: "vault/1 slot space",
      idLabel: "vault/1 id space")
  }

  var slotKinds: [String] { ["space", "derived"] }

  func slotID() throws(Fault) -> [UInt8] { wrapping.id }

  func dataKey(from slot: Slot, item: ItemID) throws(Fault) -> DataKey {
    guard slot.kind == "derived" else { return try wrapping.dataKey(slot, item) }
    let info = label("vault/1 derived", item)
    let (master, salt) = (bytes, slot.values[0])
    return try DataKey(
      HKDF.extractAndExpandSHA256(key: master.span, salt: salt.span, info: info.span, count: 32))
  }
}
