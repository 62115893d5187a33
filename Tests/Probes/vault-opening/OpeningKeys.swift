import VaultCrypto
import VaultFault
import VaultFrame
import VaultSeal
import VaultText

/// Keys of a test, from its command line: none of them is worth keeping.
struct OpeningKeys {
  let ring: Keyring

  init(_ words: [String]) throws(Fault) {
    let raw = words.dropFirst().compactMap { bytes(hex: $0) }
    guard words.count == 4, raw.count == 3 else {
      throw Fault(.usage, "an identity, a key, an access key and a space file must be given")
    }
    let (name, kek, access, text) = (Array(words[0].utf8), raw[0], raw[1], raw[2])
    let file = try SpaceFile(parsing: text.span)
    let secret = SpaceSecret.accessKey(try Secret(copying: access.span))
    let space = try UnlockedSpace.unlock(file, secret)
    let identity = try Identity(text: name.span)
    let wrapping = try KeyEncryptionKey(Secret(copying: kek.span))
    ring = try Keyring([identity, wrapping] + space.openers)
  }
}
