import VaultCLI
import VaultFault
import VaultKeys

/// The option tables of the commands that change who can open what.
enum ReaderOptions {
  static let add = Option.texts("add", "RECIPIENT", "let this X25519 key open it too, age1…")
  static let addKeyFile = Option.paths(
    "add-key-file", "let this key-encryption key open it too")
  static let remove = Option.texts(
    "remove", "RECIPIENT", "remove the slot of this key, age1… or the slot's id")
  static let receipts = Option.flag(
    "receipts", "the input is receipts or rows, one JSON line each, and no object")
  static let only = Option.flag("only", "drop the slots that the old key does not open, too")
  static let newKeyFile = Option.paths(
    "to-key-file", "wrap for the key-encryption key in this file")
  static let newSpace = Option.path("to-space", "wrap for the password space in this file")

  private static let keys = OptionGroup(
    "Keys that open", KeyOptions.identity, KeyOptions.keyFile, KeyOptions.space,
    KeyOptions.expectRevision, KeyOptions.insecurePermissions)
  private static let output = OptionGroup("Output", Options.output)
  private static let mustCome = OptionGroup(
    "What must come", ExpectOptions.item, ExpectOptions.expect, ExpectOptions.batch)

  static let share = Command(
    "vault-key share", "add and remove readers of an object or of receipts",
    usage: ["-i IDENTITY_FILE --add RECIPIENT [OPTION]... [FILE]"], operands: .optional("FILE"),
    groups: [
      keys, KeyOptions.unlocking, OptionGroup("Readers", add, addKeyFile, remove),
      OptionGroup("Input", receipts), mustCome, output,
    ],
    rules: KeyOptions.unlockingRules(KeyOptions.space.spec) + [
      .oneOf([add.spec, addKeyFile.spec, remove.spec])
    ],
    examples: [
      "vault-key share --receipts -i study.key --add age1… <receipts.jsonl >new.jsonl",
      "vault-key share -i study.key --add age1… --expect receipt.json study.vault | vault-chunk | vault-put s3://imaging/{item}",
    ],
    notes: [
      "It reads a sealed object or stream, from standard input without FILE or with -, or, with --receipts, "
        + "receipts or rows. Of an object it writes a new one: its envelope is another, its "
        + "sealed data the same. The whole object is opened and checked on its way, and ends only when "
        + "all of it was proven.",
      "--item or --expect says which object must come. Without them the item is named on standard error, "
        + "since another object may lie under the name that you gave.",
      "In receipts only the envelope changes, and that helps with detached objects only.",
      "Removing a slot revokes little: who had its key may have kept the data key, and slots inside "
        + "the object, or in older receipts and copies, still open it.",
    ],
    exits: [
      .success, .usage, .badInput, .incomplete, .cannotCreate, .localIO, .denied, .configuration,
    ])

  static let rewrap = Command(
    "vault-key rewrap", "replace the slots of an old key in receipts",
    usage: ["-i OLD -r NEW [OPTION]... [FILE]"], operands: .optional("FILE"),
    groups: [
      keys, KeyOptions.unlocking,
      OptionGroup(
        "New readers", KeyOptions.recipient, KeyOptions.recipientFile, newKeyFile, newSpace, only),
      OptionGroup("What must come", ExpectOptions.item, ExpectOptions.expect), output,
    ],
    rules: KeyOptions.unlockingRules(KeyOptions.space.spec, newSpace.spec) + [
      .exclusive([KeyOptions.space.spec, newSpace.spec]),
      .oneOf([
        KeyOptions.recipient.spec, KeyOptions.recipientFile.spec, newKeyFile.spec, newSpace.spec,
      ]),
    ],
    examples: [
      "vault-key rewrap -i old.key -R team.txt <receipts.jsonl >new.jsonl",
      "vault-key rewrap --key-file old.kek --to-key-file new.kek <receipts.jsonl >new.jsonl",
    ],
    notes: [
      "It reads receipts or rows, one JSON line each. No object is touched; of a line only the "
        + "envelope changes, and of it only the slots that the old key opens.",
      "A line that cannot be opened stays as it is, byte for byte, and is named on standard error: "
        + "the exit status is 77 if any was for another key, else 65.",
      "An object that has slots of its own still opens with the old key: only detached objects are "
        + "out of its reach, and only once the old receipts and all copies of them are gone.",
      "From one space to another, go by the new one's capture key: -r with what vault-key space "
        + "capture prints.",
    ],
    exits: [
      .success, .usage, .badInput, .cannotCreate, .localIO, .denied, .configuration,
    ])
}
