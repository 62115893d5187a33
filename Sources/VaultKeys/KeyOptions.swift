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
    "insecure-permissions", "take key files that group or others can read or change")
  /// A password space.
  public static let space = Option.path("space", "the password space in this file")
  /// The revision that the space must have.
  public static let expectRevision = Option.count(
    "expect-revision", within: 1...Int.max, "the space must be of this revision")
  /// A file that holds the password of the space.
  public static let passwordFile = Option.path(
    "password-file", fallback: "VAULT_PASSWORD_FILE, else the terminal",
    "the password is in this file; one line end is dropped")
  /// A descriptor that gives it.
  public static let passwordDescriptor = Option.descriptor(
    "password-fd", "the password comes from this open descriptor")
  /// A file that holds the access key of the space.
  public static let accessKeyFile = Option.path(
    "access-key-file", "the space opens with these 32 bytes, raw or as hex or base64 text")

  /// The options that say how a space is unlocked.
  public static let unlocking = OptionGroup(
    "Password", passwordFile, passwordDescriptor, accessKeyFile)
  /// At most one of them, and only for a space that one of these options names.
  public static func unlockingRules(_ spaces: OptionSpec...) -> [OptionRule] {
    unlockingRules + [
      .needs(passwordFile.spec, spaces), .needs(passwordDescriptor.spec, spaces),
      .needs(accessKeyFile.spec, spaces), .needs(expectRevision.spec, spaces),
    ]
  }
  /// At most one of them.
  public static let unlockingRules: [OptionRule] = [
    .exclusive([passwordFile.spec, passwordDescriptor.spec, accessKeyFile.spec])
  ]
}
