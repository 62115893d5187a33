import VaultCLI
import VaultFault
import VaultKeys
import VaultSeal

/// The option table of `vault-key`.
enum Options {
  static let output = Option.path(
    "output", short: "o", fallback: "standard output", use: .write,
    "write to FILE, which must not exist")

  static let new = Command(
    "vault-key new", "make an X25519 key",
    usage: ["[-o FILE]"], groups: [OptionGroup("Output", output)],
    examples: ["vault-key new -o study.key"],
    notes: [
      "The key is age's text and can be used with age too. The file has mode 0600 from its first "
        + "moment and is never overwritten; a comment in it has the public key. -o - is standard "
        + "output; a device, a FIFO or /dev/fd/N is written through."
    ],
    exits: [.success, .usage, .cannotCreate, .localIO, .tryAgain, .configuration])

  static let publicKey = Command(
    "vault-key public", "print the public keys of a key file",
    usage: ["[OPTION]... [FILE]"], operands: .optional("FILE"),
    groups: [OptionGroup("Key file", KeyOptions.insecurePermissions)],
    examples: ["vault-key public study.key >team.txt"],
    exits: [.success, .usage, .localIO, .tryAgain, .configuration])

  static let command = Command(
    "vault-key", "make keys and spaces, and change who can open what",
    subcommands: [new, publicKey, SpaceOptions.command, ReaderOptions.share, ReaderOptions.rewrap],
    examples: [
      "vault-key new -o study.key",
      "vault-key space new -o team.space",
      "vault-key rewrap -i old.key -R team.txt <receipts.jsonl >new.jsonl",
    ])
}
