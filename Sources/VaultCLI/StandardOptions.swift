/// The options that every tool has, defined once.
public enum StandardOptions {
  /// Print help and end.
  public static let help = Option.flag("help", short: "h", "show this help and exit")
  /// Print the version and end.
  public static let version = Option.flag(
    "version", short: "V", "show the version; with -v, the protections too")
  /// Say more on standard error.
  public static let verbose = Option.flag("verbose", short: "v", "say more on standard error")

  static let group = OptionGroup("General", help, version, verbose)
}
