import VaultCLI
import VaultFault
import VaultStore

/// The option table of `vault-drop`.
enum Options {
  static let rows = Option.path("rows", "remove the objects that the lines of FILE name (JSON)")
  static let rowsEnd = Option.flag("rows-end", "the rows must close with {\"end\":true,\"rows\":N}")
  static let yes = Option.flag("yes", "remove; without it nothing is, and answers say would-drop")
  static let acceptRace = Option.flag(
    "accept-delete-race", "remove also where the store ignores conditions of DELETE")

  static let files = Option.paths(
    "files", metavar: "DIR", use: .other,
    "rows may name files below DIR; without it, below the directory here")
  static let header = Option.texts(
    "header", "NAME:VALUE", "add a header to requests to a bucket: x-amz-…")
  static let addressing = Option.choice(
    "addressing", "STYLE", default: Addressing.auto, "where the bucket stands in the URL")
  static let jobs = Option.count(
    "jobs", short: "j", default: 8, within: 1...64, "objects at once")
  static let retries = Option.count(
    "retries", default: 3, within: 0...100, "how often a failed request is made again")
  static let idleTimeout = Option.count(
    "idle-timeout", metavar: "SECONDS", default: 60, within: 1...86_400,
    "give up on a request when nothing moves")

  static let command = Command(
    "vault-drop", "remove originals whose sealed objects are proven to be there",
    usage: ["[OPTION]... --rows FILE"], operands: .none,
    groups: [
      OptionGroup("Rows", rows, rowsEnd, files), OptionGroup("Removing", yes, acceptRace),
      OptionGroup("Work", header, addressing, jobs, retries, idleTimeout),
    ],
    examples: [
      "vault-drop --rows sealed.jsonl --rows-end",
      "vault-drop --rows sealed.jsonl --rows-end --yes >answers.jsonl",
    ],
    notes: [
      "A row is a JSON object on one line: source, source_etag and source_bytes say what may go; "
        + "object, object_bytes, etag and item which sealed object must be there. A row with source "
        + "and item only is about an object of ours, which says itself that it is of that item.",
      "An object goes only if all that the row says holds, by a DELETE of exactly that version or one "
        + "that depends on its ETag. Whether a bucket heeds that is tried once, with --yes, on an "
        + "object named vault-drop-probe-…, which is removed again.",
      "It prints an answer for each row: dropped, would-drop, gone, kept with its reason, or "
        + "unknown. Whatever cannot be proven stays. Rows whose end line is missing are not done.",
    ],
    exits: [
      .success, .usage, .badInput, .incomplete, .refused, .localIO, .tryAgain, .denied,
      .configuration,
    ])
}
