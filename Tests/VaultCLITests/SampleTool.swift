import VaultCLI
import VaultFault

/// Options of every form, for the tests of the parser and of help.
enum Sample {
  enum Color: String, CaseIterable, Sendable { case red, green, blue }

  static let maxBytes = Option.size("max-bytes", "abort past this size")
  static let partSize = Option.size(
    "part-size", default: 8 << 20, within: (5 << 20)...(5 << 30), "cut parts of this size")
  static let jobs = Option.count("jobs", short: "j", default: 4, within: 1...64, "parts in flight")
  static let retries = Option.count("retries", "tries after the first")
  static let item = Option.uuid("item", fallback: "a random one", "the id of the item")
  static let digest = Option.hex("expect-sha3-256", bytes: 32, "refuse another digest")
  static let name = Option.text("name", short: "n", "NAME", "the name of the file")
  static let headers = Option.texts("header", "NAME:VALUE", "send this header")
  static let output = Option.path("output", short: "o", "where to write")
  static let identities = Option.paths("identity", short: "i", "a file of secret keys")
  static let password = Option.descriptor("password-fd", "read the password here")
  static let color = Option.choice("color", "COLOR", default: Color.red, "the color of the lid")
  static let shade = Option.choice("as", "COLOR", of: Color.self, "the color of the shade")
  static let disclose = Option.choices("disclose", "WHAT", of: Color.self, "say this in the clear")
  static let range = Option.range("range", "only these bytes")
  static let raw = Option.flag("raw", short: "r", "take bytes as they are")
  static let quiet = Option.flag("quiet", short: "q", "say less")
  static let force = Option.flag("force", short: "f", "say nothing")
  static let check = Option.flag("check", "compare sums")

  static let tool = Command(
    "vault-sample", "try every form of option on one tool",
    usage: ["[OPTION]... [FILE]...", "[OPTION]... -- COMMAND ARG..."],
    operands: Operands.any("FILE").orCommand,
    groups: [
      OptionGroup("Limits", maxBytes, partSize, jobs, retries),
      OptionGroup("What", item, digest, name, headers, color, shade, disclose, range),
      OptionGroup("Files", output, identities, password),
      OptionGroup("Modes", raw, quiet, force, check),
    ],
    rules: [
      .exclusive([raw.spec, check.spec]), .needs(disclose.spec, [name.spec, item.spec]),
      .operandsNeed([check.spec]), .commandExcludes([output.spec]),
    ],
    examples: ["vault-sample --max-bytes=1GiB <scan.dcm >scan.plain"],
    notes: [
      "A note that is long enough to need a second line, since help is never wider than eighty "
        + "columns, whatever it has to say."
    ],
    exits: [.success, .usage, .badInput])
}

/// A tool with commands under commands.
enum Keys {
  static let output = Option.path("output", short: "o", "where to write the key")
  static let recipient = Option.texts("recipient", short: "r", "KEY", required: true, "for whom")
  static let password = Option.path("password-file", "a file with the password")
  static let access = Option.path("access-key-file", "a file of 32 bytes")

  static let new = Command(
    "vault-keys new", "make a key", usage: ["[-o FILE]"],
    groups: [OptionGroup("Output", output)])
  static let wrap = Command(
    "vault-keys wrap", "wrap a key", usage: ["-r KEY SOURCE"], operands: .one("SOURCE"),
    groups: [OptionGroup("Readers", recipient)])
  static let spaceNew = Command(
    "vault-keys space new", "make a space", usage: ["FILE"], operands: .optional("FILE"),
    groups: [OptionGroup("Secrets", password, access)],
    rules: [.oneOf([password.spec, access.spec])])
  static let space = Command("vault-keys space", "care for spaces", subcommands: [spaceNew])
  static let tool = Command("vault-keys", "make keys", subcommands: [new, wrap, space])
}

func parse(_ words: [String], _ command: Command = Sample.tool) throws(Fault) -> Arguments {
  try Parser.parse(words.map { Argument($0) }, for: command)
}
