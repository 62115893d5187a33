import VaultCLI
import VaultFault
import VaultFrame
import VaultMeasure

/// The option table of `vault-hash`.
enum Options {
  static let framed = Option.flag(
    "framed", "read a plain stream, as vault-get and vault-open write")
  static let item = Option.uuid("item", fallback: "random", "the id of the item")
  static let name = Option.text("name", "NAME", "a file name, sealed with the data")
  static let mediaType = Option.text("media-type", "TYPE", "a media type, sealed with the data")
  static let optimized = Option.flag(
    "optimized", "the data is an optimized form, not the original's own bytes; not secret")
  static let digest = Option.choice(
    "digest", "WHICH", default: DataDigest.sha3, "the digest of the data")
  static let also = Option.choices("also", "DIGEST", of: DataDigest.self, "take this one too")

  static let maxBytes = Option.size("max-bytes", "give up when there is more")
  static let refuseEmpty = Option.flag("refuse-empty", "give up when there is nothing")
  static let expectBytes = Option.size("expect-bytes", "give up when it has another size")
  static let expectSHA3 = Option.hex(
    "expect-sha3-256", bytes: 32, "give up when it has another SHA3-256")

  static let print = Option.flag("print", "print sums of files, as sha256sum does")
  static let check = Option.flag("check", short: "c", "check files against sums")

  static let command = Command(
    "vault-hash", "measure an original and mark where it really ends",
    usage: ["[OPTION]... [FILE]", "[OPTION]... -- COMMAND [ARG]...", "--print|--check [FILE]..."],
    operands: .any("FILE").orCommand,
    groups: [
      OptionGroup("Item", framed, item, name, mediaType, optimized, digest, also),
      OptionGroup(
        "What must hold", maxBytes, refuseEmpty, expectBytes, expectSHA3,
        StandardOptions.allowChanges),
      OptionGroup("Sums", print, check),
    ],
    rules: [
      .exclusive([print.spec, check.spec]), .exclusive([framed.spec, check.spec]),
      .commandExcludes([print.spec, check.spec, framed.spec]),
    ],
    examples: [
      "vault-hash <study.zip | vault-seal -R team.txt >study.vault",
      "vault-hash --refuse-empty -- pg_dump clinic | vault-seal -R team.txt >dump.vault",
      "vault-hash --digest sha256 <study.zip | vault-seal -R team.txt >study.vault",
      "vault-hash --print *.zip >SUMS && vault-hash --check SUMS",
    ],
    notes: [
      "Without FILE, or with -, it reads standard input. The output is a plain stream: label, data, "
        + "digest, end. Its end says that the input was complete, so that no later stage takes a "
        + "truncated input for a whole one.",
      "SHA-256 takes less time than SHA3-256 where the processor has instructions for it. SHA3-256 is "
        + "taken too where --expect-sha3-256 or a row says which one must come. --print and --check "
        + "work with the --digest alone.",
      "--framed --print writes a sum for each item of a stream, named by the item's id, and no stream.",
      "A regular file must stay as it is while it is read: another size, time of content or time of "
        + "change at its end is an error (65), unless with --allow-changes.",
      "After -- it runs COMMAND and reads its standard output; the end is written only when COMMAND "
        + "exits with 0.",
    ],
    exits: [
      .success, .mismatch, .usage, .badInput, .incomplete, .localIO, .tryAgain, .configuration,
    ])

  /// What the arguments say of the measure.
  static func measure(_ arguments: Arguments) -> MeasureOptions {
    var options = MeasureOptions()
    options.limits.maxBytes = arguments[maxBytes]
    options.limits.refusesEmpty = arguments[refuseEmpty]
    options.limits.expectedBytes = arguments[expectBytes]
    options.limits.expectedSHA3 = arguments[expectSHA3]
    options.digests = Set(arguments[also] + [arguments[digest]])
    return options
  }
}
