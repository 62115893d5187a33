import VaultCLI
import VaultFault
import VaultStore

/// The option table of `vault-get`.
enum Options {
  enum Shape: String, CaseIterable, Sendable { case sealed, plain }
  enum PlainDigest: String, CaseIterable, Sendable { case sha256, none }

  static let shape = Option.choice(
    "as", "FORM", default: Shape.sealed, "what the source holds: plain takes any object")
  static let digest = Option.choice(
    "digest", "WHICH", default: PlainDigest.sha256, "the digest at the end of a plain item")
  static let range = Option.range("range", "only what vault-open needs for this range of the data")
  static let heads = Option.flag("heads", "only what shows the structure, for vault-open --inspect")
  static let maxBytes = Option.size("max-bytes", "refuse an object that is longer")

  static let urlFile = Option.path("url-file", "read the URL of the source from FILE")
  static let urlDescriptor = Option.descriptor(
    "url-fd", "read the URL of the source from this open descriptor")
  static let bearerFile = Option.path("bearer-file", "send the token in FILE with the URL")
  static let header = Option.texts(
    "header", "NAME:VALUE", "add a header to requests to a bucket: x-amz-…")
  static let addressing = Option.choice(
    "addressing", "STYLE", default: Addressing.auto, "where the bucket stands in the URL")

  static let rows = Option.path("rows", "read the objects that the lines of FILE name (JSON)")
  static let rowsEnd = Option.flag("rows-end", "the rows must close with {\"end\":true,\"rows\":N}")
  static let done = Option.path(
    "done", metavar: "RECEIPTS", "pass over rows that these receipts show as stored")
  static let files = Option.paths(
    "files", metavar: "DIR", use: .other,
    "rows may name files below DIR; without it, below the directory here")

  static let jobs = Option.count(
    "jobs", short: "j", default: 4, within: 1...64,
    "objects of a batch, or pieces of a large one, read at once")
  static let retries = Option.count(
    "retries", default: 3, within: 0...100, "how often a failed request is made again")
  static let idleTimeout = Option.count(
    "idle-timeout", metavar: "SECONDS", default: 60, within: 1...86_400,
    "give up on a request when nothing moves")
  static let progress = StandardOptions.progress

  static let command = Command(
    "vault-get", "fetch sealed objects, or what a range of one needs",
    usage: ["[OPTION]... SOURCE", "[OPTION]... --url-file FILE", "[OPTION]... --rows FILE"],
    operands: .optional("SOURCE", readsInput: false),
    groups: [
      OptionGroup("Object", shape, digest, range, heads, maxBytes),
      OptionGroup("Source", urlFile, urlDescriptor, bearerFile, header, addressing),
      OptionGroup("Batch", rows, rowsEnd, done, files),
      OptionGroup("Work", jobs, retries, idleTimeout, progress),
    ],
    rules: [
      .exclusive([rows.spec, urlFile.spec, urlDescriptor.spec]),
      .exclusive([rows.spec, range.spec]), .exclusive([range.spec, heads.spec]),
      .needs(rowsEnd.spec, [rows.spec]), .needs(done.spec, [rows.spec]),
      .needs(files.spec, [rows.spec]),
      .needs(bearerFile.spec, [urlFile.spec, urlDescriptor.spec]),
    ],
    examples: [
      "vault-get s3://imaging/study.vault | vault-open -i study.key >study.zip",
      "vault-get --range 0-99 s3://imaging/study.vault | vault-open -i study.key --range 0-99",
      "vault-get --rows receipts.jsonl | vault-open -i study.key --expect receipts.jsonl --check",
      "vault-get --as plain --rows legacy.jsonl --rows-end | vault-hash --framed | …",
    ],
    notes: [
      "SOURCE is s3://bucket/key, a path, file:, or - for standard input. What is read once (a FIFO, "
        + "a device, <(…)) gives whole objects, no ranges. The output is the sealed object as it is, with "
        + "an end frame only when all of it has come. A connection that breaks is continued where it "
        + "stopped, as long as the object is the same. A large object comes in pieces, by several "
        + "requests at once.",
      "A row is a JSON object on one line, with source (or object: a receipt is a row too) and, as "
        + "far as known, item, target, name, media_type, bytes, sha3_256, envelope, body, "
        + "object_bytes, sha256, data_sha256. A bad one is an item that fails, and the rest goes on. "
        + "When the row comes back, its URL has no user and no query; for --done it then needs an item.",
      "With --as plain a URL that answers with a JSON object that has downloadUrl stands for what "
        + "that one gives. The token goes to the first URL only.",
      "vault-hash --framed takes a digest of its own, so before it --digest none spares one. "
        + "vault-seal refuses an item without any.",
      "Credentials and endpoints are those of other S3 tools, as for vault-put.",
    ],
    exits: [
      .success, .usage, .badInput, .incomplete, .refused, .localIO, .tryAgain, .denied,
      .configuration,
    ])
}
