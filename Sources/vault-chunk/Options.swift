import VaultCLI
import VaultFault
import VaultParts

/// The option table of `vault-chunk`.
enum Options {
  static let partSize = Option.size(
    "part-size", within: PartPlan.smallest...PartPlan.largest, fallback: "by plan",
    "bytes of each part but the last")
  static let maxParts = Option.count(
    "max-parts", default: Int(PartPlan.mostParts), within: 1...Int(PartPlan.mostParts),
    "the most parts")
  static let expectBytes = Option.size(
    "expect-bytes", "about how many bytes come, so that the parts can be planned")

  static let command = Command(
    "vault-chunk", "cut sealed bytes into upload parts with checksums",
    usage: ["[OPTION]... [FILE]"], operands: .optional("FILE"),
    groups: [OptionGroup("Parts", partSize, maxParts, expectBytes, StandardOptions.allowChanges)],
    examples: [
      "vault-hash <study.zip | vault-seal -R team.txt | vault-chunk | vault-put s3://imaging/{item}",
      "vault-chunk study.vault | vault-put s3://imaging/{item}",
    ],
    notes: [
      "It reads a sealed stream, from standard input without FILE or with -, and writes a parts "
        + "stream. It looks at nothing that needs a key.",
      "Where the size is known, the parts have 8 MiB, or more so that they are 9,900 at most. Where "
        + "it is not, they have 8 MiB up to part 4,000 and are then doubled every 667.",
    ],
    exits: [.success, .usage, .badInput, .incomplete, .localIO, .tryAgain, .configuration])
}
