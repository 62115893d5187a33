/// Keys that look like ours and are not: each is refused by its name.
enum ForeignKey {
  enum Wanted { case recipient, identity }

  static let hint = "vault-key new makes a key that works here"

  /// What a text is, when its beginning shows that it is not what is wanted.
  static func named(_ text: Span<UInt8>, wanted: Wanted) -> String? {
    for (start, name) in starts where begins(text, start) { return name }
    if begins(text, "AGE-SECRET-KEY-1") { return wanted == .identity ? nil : "a secret key" }
    guard begins(text, "age1") else { return nil }
    // The data of Bech32 holds no 1, so a second one ends the name of a plugin.
    if text.indices.dropFirst(4).contains(where: { text[$0] == UInt8(ascii: "1") }) {
      return "a recipient of an age plugin"
    }
    return wanted == .recipient ? nil : "a recipient"
  }

  private static let starts = [
    ("AGE-SECRET-KEY-PQ-1", "a post-quantum identity of age"),
    ("AGE-PLUGIN-", "an identity of an age plugin"),
    ("age1pq1", "a post-quantum recipient of age"),
    ("age1tagpq1", "a post-quantum recipient of an age plugin"),
    ("ssh-ed25519", "an SSH public key (ssh-ed25519)"),
    ("ssh-rsa", "an SSH public key (ssh-rsa)"),
    ("ssh-", "an SSH public key"),
    ("ecdsa-sha2-", "an SSH public key (ecdsa)"),
    ("sk-", "an SSH public key of a security key"),
    ("-----BEGIN AGE ENCRYPTED FILE-----", "an age file, encrypted and armored"),
    ("age-encryption.org/", "an age file, encrypted"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----", "an SSH private key"),
    ("-----BEGIN ", "a PEM file"),
    ("vault-space/", "a space file"),
  ]

  /// Whether a text begins with ASCII characters.
  static func begins(_ text: Span<UInt8>, _ start: String) -> Bool {
    let wanted = start.utf8
    guard text.count >= wanted.count else { return false }
    return zip(text.indices, wanted).allSatisfy { text[$0] == $1 }
  }
}
