import SealedObjects
import TestVectors
import VaultCrypto
import VaultFault
import VaultFrame
import VaultText

@testable import VaultSeal

extension VectorFile {
  /// Unlocks the space file of this vector.
  func spaceOutcome() throws -> Outcome {
    do throws(Fault) {
      let file = try SpaceFile(parsing: stream.span)
      let space = try UnlockedSpace.unlock(file, spaceSecret())
      let revision = self["want-revision"].flatMap { UInt64($0) }
      if let revision, revision != file.content.revision {
        return Outcome(name: "other-object", released: [])
      }
      let master = try space.key.withMaster { (master) throws(Fault) in hex(master.bytes) }
      let isSame = master == self["master"] && hex(space.capture.publicKey) == self["capture"]
      let rewrites = file.bytes == stream
      return Outcome(name: isSame && rewrites ? "ok" : "other keys", released: [])
    } catch { return Outcome(name: error.kind.rawValue, released: []) }
  }

  private func spaceSecret() throws(Fault) -> SpaceSecret {
    if let text = self["access-key"] {
      let key = unhex(text) ?? []
      return .accessKey(try Secret(copying: key.span))
    }
    let password = self["password"].flatMap(unhex) ?? []
    return .password(try Secret(copying: password.span))
  }
}
