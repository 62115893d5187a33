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
  static let quiet = Option.flag(
    "quiet", "with --check, print no verdict of an object that is good")
  static let json = Option.flag("json", "with --check, print JSON lines, which is the only form")
  static let envelope = Option.path(
    "envelope", "open with this envelope, or the one in this receipt, instead of the object's own")

  static let command = Command(
    "vault-open", "check and decrypt a sealed object",
    usage: [
      "-i IDENTITY_FILE [OPTION]... [FILE]", "-i IDENTITY_FILE --range A-B [FILE]",
      "-i IDENTITY_FILE --check [--expect RECEIPTS] [FILE]...", "--inspect [FILE]...",
    ],
    operands: .any("FILE"),
    groups: [
      OptionGroup(
        "Keys", KeyOptions.identity, KeyOptions.keyFile, KeyOptions.space,
        KeyOptions.expectRevision, KeyOptions.insecurePermissions),
      KeyOptions.unlocking,
      OptionGroup("Output", output, range, framed, check, quiet, json, inspect, skipDigest),
      OptionGroup(
        "What must come", ExpectOptions.item, ExpectOptions.expect, ExpectOptions.batch, envelope,
        StandardOptions.allowChanges),
    ],
    rules: KeyOptions.unlockingRules(KeyOptions.space.spec) + [
      .exclusive([output.spec, framed.spec, check.spec, inspect.spec]),
      .exclusive([range.spec, framed.spec]), .exclusive([range.spec, check.spec]),
      .exclusive([range.spec, inspect.spec]),
      .exclusive([inspect.spec, ExpectOptions.expect.spec]),
      .exclusive([skipDigest.spec, framed.spec]), .exclusive([skipDigest.spec, check.spec]),
      .exclusive([skipDigest.spec, inspect.spec]),
      .exclusive([inspect.spec, ExpectOptions.item.spec]),
      .exclusive([inspect.spec, envelope.spec]), .severalOperandsNeed([check.spec, inspect.spec]),
      .needs(quiet.spec, [check.spec]), .needs(json.spec, [check.spec]),
    ],
    examples: [
      "vault-open -i study.key study.vault >study.zip",
      "vault-open -i study.key --expect receipt.json -o study.zip study.vault",
      "vault-open -i study.key --expect receipts.jsonl --check store/*.vault",
      "vault-get --rows receipts.jsonl | vault-open -i study.key --expect receipts.jsonl --check",
      "vault-open -i study.key --range 1000000-1999999 study.vault >piece",
    ],
    notes: [
      "It reads a sealed object or stream, from standard input without FILE or with -. Only data "
        + "that is authenticated is written; the size and the digest are checked at the end, so what "
        + "was written is good only if the exit status is 0.",
      "Any good object of yours opens unless --expect says which one must come. --item alone does not "
        + "tell a forgery: whoever knows an id and a recipient can seal another text under it.",
      "--expect takes a file of receipts, one a line. Each one that says stored must be answered by "
        + "exactly one object: none is nothing-judged (66), two are judged-twice (65), an object that no "
        + "receipt names is other-object (65). A receipt is compared in all that its object shows.",
      "--check prints a verdict for each object and each receipt without one, then the counts where there are "
        + "receipts or several files, and ends with the worst status. verified: every byte was authenticated, and the commitment or a digest "
        + "of yours was compared. consistent: every byte was authenticated, nothing of yours pins it.",
      "FILE is one object and never a batch, since bytes at rest may be anyone's. A batch comes through "
        + "standard input. Its rows are compared, but make a verdict verified only with --batch, which "
        + "says that vault-get makes it in this pipe, from rows of yours.",
      "With -o a new file has mode 0600; one that is replaced is replaced in one step, where a link "
        + "ends, and its owner, group and mode stay. -o - is standard output; a device, a FIFO or "
        + "/dev/fd/N is written through. A file that the command reads is never written.",
      "A regular file must stay as it is while it is read (65), unless with --allow-changes.",
      "--range reads of a file only what it needs, and takes the slice that vault-get --range makes of "
        + "the same range; of a sealed stream it reads and checks all, and -N is at most 1 MiB. An end past the data is cut, a "
        + "range that begins past it is an error (65), and -N of an empty item yields no data. Of a file or "
        + "a slice --expect compares item, body, envelope and sizes, not the SHA-256 of the whole object.",
      "--inspect shows the kind and the id of each slot. An object says nothing of what a password "
        + "costs: vault-key space inspect shows that of a space.",
      "A key file has less than 16 KiB, and at most 256 keys are taken.",
      "With --skip-digest every byte is authenticated and the size compared, but not the digest that "
        + "vault-hash took: a fault of the machine that sealed is not noticed. Digests of the data that "
        + "--expect names are compared all the same.",
    ],
    exits: [
      .success, .usage, .badInput, .incomplete, .cannotCreate, .localIO, .tryAgain, .denied,
      .configuration,
    ])
}
