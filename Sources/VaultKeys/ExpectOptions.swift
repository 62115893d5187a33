public import VaultCLI

/// The options that say which object must come, the same in every tool that opens.
public enum ExpectOptions {
  /// The item.
  public static let item = Option.uuid("item", "this item must come, and no other")
  /// The receipts.
  public static let expect = Option.path(
    "expect", metavar: "RECEIPTS", "the objects of these receipts must come, each once")
  /// The input is a batch of the same pipe.
  public static let batch = Option.flag(
    "batch", "the input is a batch that vault-get makes in this pipe: its rows are what must come")
}
