import VaultCLI
import VaultFault
import VaultFrame
import VaultKeys

/// The option tables of `vault-key space`.
enum SpaceOptions {
  static let output = Option.path(
    "output", short: "o", required: true, use: .write, "write to FILE, which must not exist")
  static let rounds = Option.count(
    "rounds", default: Int(SpaceFile.rounds.lowerBound),
    within: Int(SpaceFile.rounds.lowerBound)...Int(SpaceFile.rounds.upperBound),
    "rounds of PBKDF2-HMAC-SHA-256 that a password costs")
  static let newRounds = Option.count(
    "rounds", within: Int(SpaceFile.rounds.lowerBound)...Int(SpaceFile.rounds.upperBound),
    fallback: "those of the present password",
    "rounds of PBKDF2-HMAC-SHA-256 that the new password costs")
  static let unverified = Option.flag(
    "unverified", "print what the file says, without unlocking it")
  static let newPasswordFile = Option.path(
    "new-password-file", fallback: "the terminal, asked twice", "the new password is in this file")
  static let newPasswordDescriptor = Option.descriptor(
    "new-password-fd", "the new password comes from this open descriptor")
  static let newAccessKeyFile = Option.path(
    "new-access-key-file", "from now on the space opens with these 32 bytes")

  static let new = Command(
    "vault-key space new", "make a password space",
    usage: ["-o FILE [OPTION]..."],
    groups: [
      OptionGroup("Space", output, rounds, KeyOptions.insecurePermissions), KeyOptions.unlocking,
    ],
    rules: KeyOptions.unlockingRules,
    examples: [
      "vault-key space new -o team.space",
      "head -c 32 /dev/urandom >access.key; vault-key space new --access-key-file access.key -o team.space",
    ],
    notes: [
      "A space has one master key and one capture key, both random. The file keeps them under the "
        + "password, and is no secret by itself: it is as strong as the password. Keep copies of it, "
        + "for nothing opens the space without it.",
      "The password is asked for twice. It is written beside, read back, opened, and only then named.",
    ],
    exits: [.success, .usage, .cannotCreate, .localIO, .configuration])

  static let passwd = Command(
    "vault-key space passwd", "give a space a new password",
    usage: ["[OPTION]... FILE"], operands: .one("FILE", use: .change),
    groups: [
      OptionGroup("Space", newRounds, KeyOptions.expectRevision, KeyOptions.insecurePermissions),
      KeyOptions.unlocking,
      OptionGroup("New password", newPasswordFile, newPasswordDescriptor, newAccessKeyFile),
    ],
    rules: KeyOptions.unlockingRules + [
      .exclusive([newPasswordFile.spec, newPasswordDescriptor.spec, newAccessKeyFile.spec])
    ],
    examples: ["vault-key space passwd team.space"],
    notes: [
      "The new revision is written beside, read back, opened, and then takes the name in one step, "
        + "where a link ends; owner, group and mode stay. The file is locked meanwhile: of several "
        + "changes at once one wins, and the others end with 75 and have changed nothing.",
      "The master key stays: who has an old copy of the file and its old password opens everything, "
        + "also what is sealed from now on. Make a new space and rewrap to be rid of them.",
    ],
    exits: [
      .success, .usage, .badInput, .cannotCreate, .localIO, .tryAgain, .denied, .configuration,
    ])

  static let capture = Command(
    "vault-key space capture", "print the public key that seals for a space",
    usage: ["[OPTION]... FILE", "--unverified FILE"], operands: .one("FILE"),
    groups: [
      OptionGroup(
        "Space", unverified, KeyOptions.expectRevision, KeyOptions.insecurePermissions),
      KeyOptions.unlocking,
    ],
    rules: KeyOptions.unlockingRules + [
      .exclusive([unverified.spec, KeyOptions.passwordFile.spec]),
      .exclusive([unverified.spec, KeyOptions.passwordDescriptor.spec]),
      .exclusive([unverified.spec, KeyOptions.accessKeyFile.spec]),
      .exclusive([unverified.spec, KeyOptions.expectRevision.spec]),
    ],
    examples: ["vault-key space capture team.space >scanner.txt", "vault-seal -R scanner.txt …"],
    notes: [
      "Who has only this key can seal for the space and open nothing, not even what it sealed.",
      "The key is computed from the sealed private half after the whole file was authenticated. With "
        + "--unverified it is what the file says: whoever could write the file may have put theirs.",
    ],
    exits: [.success, .usage, .badInput, .localIO, .denied, .configuration])

  static let inspect = Command(
    "vault-key space inspect", "print what can be seen of a space without unlocking it (JSON)",
    usage: ["FILE"], operands: .one("FILE"),
    examples: ["vault-key space inspect team.space"],
    notes: ["Nothing of it is authenticated."],
    exits: [.success, .usage, .badInput, .localIO, .configuration])

  static let command = Command(
    "vault-key space", "make and use password spaces",
    subcommands: [new, passwd, capture, inspect],
    examples: ["vault-key space new -o team.space"])
}
