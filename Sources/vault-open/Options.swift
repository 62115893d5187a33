import VaultCLI
import VaultFault
import VaultKeys

/// The option table of `vault-open`.
enum Options {
  static let output = Option.path(
    "output", short: "o", use: .write,
    "write to FILE, which appears, or is replaced, only when everything was verified")
  static let range = Option.range(
    "range", "write only bytes A-B (counted from 0, both included), A- or the last -N")
  static let framed = Option.flag("framed", "write a plain stream, for sealing again")
  static let check = Option.flag("check", "write no data; print a verdict for each item (JSON)")
  static let inspect = Option.flag(
    "inspect", "print what can be seen without a key (JSON); nothing of it is authenticated")
  static let skipDigest = Option.flag(
    "skip-digest", "do not take the digest of the data: faster, and it is not compared")
  static let item = Option.uuid("item", "this item must come")
  static let expect = Option.path(
    "expect", metavar: "RECEIPT", "the object of this receipt must come")
  static let envelope = Option.path(
    "envelope", "open with this envelope, or the one in this receipt, instead of the object's own")

  static let command = Command(
    "vault-open", "check and decrypt a sealed object",
    usage: [
      "-i IDENTITY_FILE [OPTION]... [FILE]", "-i IDENTITY_FILE --range A-B [FILE]",
      "--inspect [FILE]",
    ],
    operands: .optional("FILE"),
    groups: [
      OptionGroup(
        "Keys", KeyOptions.identity, KeyOptions.keyFile, KeyOptions.space,
        KeyOptions.expectRevision, KeyOptions.insecurePermissions),
      KeyOptions.unlocking,
      OptionGroup("Output", output, range, framed, check, inspect, skipDigest),
      OptionGroup("What must come", item, expect, envelope, StandardOptions.allowChanges),
    ],
    rules: KeyOptions.unlockingRules(KeyOptions.space.spec) + [
      .exclusive([output.spec, framed.spec, check.spec, inspect.spec]),
      .exclusive([range.spec, framed.spec]), .exclusive([range.spec, check.spec]),
      .exclusive([range.spec, inspect.spec]), .exclusive([inspect.spec, expect.spec]),
      .exclusive([skipDigest.spec, framed.spec]), .exclusive([skipDigest.spec, check.spec]),
      .exclusive([skipDigest.spec, inspect.spec]), .exclusive([inspect.spec, item.spec]),
      .exclusive([inspect.spec, envelope.spec]),
    ],
    examples: [
      "vault-open -i study.key study.vault >study.zip",
      "vault-open -i study.key --expect receipt.json -o study.zip study.vault",
      "vault-open -i study.key --check study.vault",
      "vault-open -i study.key --range 1000000-1999999 study.vault >piece",
    ],
    notes: [
      "It reads a sealed object or stream, from standard input without FILE or with -. Only data "
        + "that is authenticated is written; the size and the digest are checked at the end, so what "
        + "was written is good only if the exit status is 0.",
      "With -o a new file has mode 0600; one that is replaced is replaced in one step, where a link "
        + "ends, and its owner, group and mode stay. -o - is standard output; a device, a FIFO or "
        + "/dev/fd/N is written through. A file that the command reads is never written.",
      "A regular file must stay as it is while it is read (65), unless with --allow-changes.",
      "--range reads of a file only what it needs, and takes the slice that vault-get --range makes of "
        + "the same range; of a sealed stream it reads and checks all, and -N is at most 1 MiB. An end past the data is cut, a "
        + "range that begins past it is an error (65), and -N of an empty item is no byte. Of a file or "
        + "a slice --expect compares item, body and size, but not the SHA-256 of the whole object.",
      "--inspect shows the kind and the id of each slot. An object says nothing of what a password "
        + "costs: vault-key space inspect shows that of a space.",
      "A key file has less than 16 KiB, and at most 256 keys are taken.",
      "With --skip-digest every byte is authenticated and the size compared, but not the digest that "
        + "vault-hash took: a fault of the machine that sealed is not noticed. Digests of the data that "
        + "--expect names are compared all the same.",
      "Any good object of yours passes unless --item or --expect says which one must come.",
    ],
    exits: [
      .success, .usage, .badInput, .incomplete, .cannotCreate, .localIO, .tryAgain, .denied,
      .configuration,
    ])
}
