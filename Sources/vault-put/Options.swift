import VaultCLI
import VaultFault
import VaultStore

/// The option table of `vault-put`.
enum Options {
  static let overwrite = Option.flag("overwrite", "an object of that name may be replaced")
  static let makeDirectories = Option.flag(
    "make-directories", "make what is missing of DEST's own directory, too")
  static let header = Option.texts(
    "header", "NAME:VALUE", "add a header to what makes the object: x-amz-… or cache-control")
  static let checksum = Option.choice(
    "checksum", "WHAT", default: ChecksumChoice.sha256, "the checksum sent with each part")
  static let proof = Option.choice(
    "proof", "WHAT", default: ProofChoice.head,
    "head looks at each object; response takes an answer that has its SHA-256")
  static let addressing = Option.choice(
    "addressing", "STYLE", default: Addressing.auto, "where the bucket stands in the URL")

  static let jobs = Option.count(
    "jobs", short: "j", default: 4, within: 1...64, "parts in flight")
  static let memory = Option.size(
    "memory", default: 64 << 20, within: (1 << 20)...(64 << 30), "part buffers, all together")
  static let temp = Option.path(
    "temp", metavar: "DIR", fallback: "TMPDIR or /tmp", use: .other,
    "where parts go past --memory, encrypted")
  static let retries = Option.count(
    "retries", default: 3, within: 0...100, "how often a failed request is tried again")
  static let idleTimeout = Option.count(
    "idle-timeout", metavar: "SECONDS", default: 60, within: 1...86_400,
    "give up on a request when nothing moves")

  static let journal = Option.path(
    "journal", use: .write, "note each upload before it is opened and after its end")
  static let sweep = Option.path(
    "sweep", metavar: "JOURNAL", use: .write,
    "clean up what a crash left open, and print lost receipts")
  static let state = Option.path(
    "state", use: .write, "continue the upload of an earlier run with the same input")
  static let progress = StandardOptions.progress

  static let command = Command(
    "vault-put", "store the parts of sealed items, prove that they are there, print receipts",
    usage: ["[OPTION]... DEST", "--sweep JOURNAL"], operands: .optional("DEST", use: .other),
    groups: [
      OptionGroup("Object", overwrite, makeDirectories, header, checksum, proof, addressing),
      OptionGroup("Work", jobs, memory, temp, retries, idleTimeout, progress),
      OptionGroup("After a crash", journal, sweep, state),
    ],
    rules: [.exclusive([journal.spec, sweep.spec, state.spec])],
    examples: [
      "vault-hash <study.zip | vault-seal -R team.txt | vault-chunk | vault-put s3://imaging/{item}",
      "vault-chunk <study.vault | vault-put --state study.state s3://imaging/{item}",
      "vault-put --sweep put.journal >>receipts.jsonl",
    ],
    notes: [
      "It reads a parts stream from standard input. DEST is s3://bucket/key, a path, or file:. {item} "
        + "in it is replaced by the item's id, {target} by the target of its label.",
      "In a directory, levels that {item} or {target} name are made; those that DEST itself names must "
        + "be there, so that a disk which is not mounted is not taken for an empty one. Modes are what "
        + "the umask leaves. --overwrite replaces regular files only.",
      "Receipts go to standard output. Room for each is found before its object is stored; a torn last "
        + "line of a file is ended before the first one. An object whose receipt cannot be written all "
        + "the same is named on standard error.",
      "Credentials and endpoints are those of other S3 tools: AWS_ACCESS_KEY_ID, AWS_PROFILE, "
        + "AWS_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_CA_BUNDLE, and the usual files.",
      "A receipt with status stored is printed only after the store has proven the object.",
      "A store may carry out what it was sent although vault-put was killed. So wait until it has "
        + "surely dropped those requests before --sweep: what lands later gets no receipt.",
    ],
    exits: [
      .success, .usage, .badInput, .incomplete, .refused, .cannotCreate, .localIO, .tryAgain,
      .denied, .configuration,
    ])
}
