import VaultCLI
import VaultFault
import VaultFrame
import VaultKeys
import VaultSeal

/// The option table of `vault-seal`.
enum Options {
  static let raw = Option.flag(
    "raw", "seal raw bytes: a producer that died cannot be told from one that ended")
  static let digest = Option.choice(
    "digest", "WHICH", default: DataDigest.sha3, "the digest that --raw takes of the data")
  static let detach = Option.flag(
    "detach", "leave the slots out of the object; the receipt has them")
  static let disclose = Option.choices(
    "disclose", "WHAT", of: Disclosure.self, "show this in the receipt")

  static let derive = Option.flag(
    "derive", "derive the data keys from the space instead of wrapping random ones")

  static let command = Command(
    "vault-seal", "encrypt a plain stream for its readers",
    usage: ["-r RECIPIENT [OPTION]... [FILE]", "--space FILE [OPTION]... [FILE]"],
    operands: .optional("FILE"),
    groups: [
      OptionGroup(
        "Readers", KeyOptions.recipient, KeyOptions.recipientFile, KeyOptions.keyFile,
        KeyOptions.space, KeyOptions.expectRevision, KeyOptions.insecurePermissions),
      KeyOptions.unlocking,
      OptionGroup("Sealing", derive, raw, digest, detach, disclose, StandardOptions.allowChanges),
    ],
    rules: KeyOptions.unlockingRules(KeyOptions.space.spec) + [
      .needs(derive.spec, [KeyOptions.space.spec]), .needs(digest.spec, [raw.spec]),
    ],
    examples: [
      "vault-hash <study.zip | vault-seal -R team.txt >study.vault",
      "vault-hash <study.zip | vault-seal -R team.txt | vault-chunk | vault-put s3://imaging/{item}",
    ],
    notes: [
      "It reads what vault-hash writes, from standard input without FILE or with -. Every item gets "
        + "a data key of its own, which is wrapped for each reader.",
      "A space is unlocked once, whatever the number of items. With --derive its readers need nothing "
        + "but the space, and an item's envelope holds no wrapped key.",
      "With --raw it reads any bytes and takes their digest itself. A truncated input then looks "
        + "whole: use it only where the producer's end is known to be good.",
      "What --disclose names is not encrypted in the receipt.",
      "With --detach the object can be opened only with the envelope in its receipt.",
    ],
    exits: [
      .success, .usage, .badInput, .incomplete, .localIO, .tryAgain, .denied, .configuration,
    ])
}
