public import VaultCLI

/// The options that name keys, the same in every tool.
public enum KeyOptions {
  /// Recipients on the command line: they are public.
  public static let recipient = Option.texts(
    "recipient", short: "r", "RECIPIENT", "seal for this X25519 key, age1…")
  /// Files of recipients.
  public static let recipientFile = Option.paths(
    "recipients-file", short: "R", "seal for the keys in this file, one a line")
  /// Files of identities.
  public static let identity = Option.paths(
    "identity", short: "i", "open with the keys in this file (AGE-SECRET-KEY-1…)")
  /// Files that hold a key-encryption key.
  public static let keyFile = Option.paths(
    "key-file", "a key-encryption key: 32 bytes, raw or as hex or base64 text")
  /// Reads a key file that others can read.
  public static let insecurePermissions = Option.flag(
    "insecure-permissions", "take key files that group or others can read")
}
