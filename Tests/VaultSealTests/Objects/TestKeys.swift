import VaultCrypto
import VaultFault
import VaultFrame

@testable import VaultSeal

/// The keys of the tests, one of each kind of slot.
struct TestKeys {
  let identity: Identity
  let kek: KeyEncryptionKey
  let master: MasterKey

  init() throws {
    identity = try Identity()
    kek = try KeyEncryptionKey(Secret(random: 32))
    master = try MasterKey([UInt8](repeating: 0x5A, count: 32))
  }

  var makers: [any SlotMaker] { [identity.recipient, kek, master] }
  var openers: [any SlotOpener] { [identity, kek, master] }
}

extension MasterKey: SlotMaker {
  func slot(wrapping dataKey: DataKey, item: ItemID) throws(Fault) -> Slot {
    try wrapping.slot(dataKey, item)
  }
}
