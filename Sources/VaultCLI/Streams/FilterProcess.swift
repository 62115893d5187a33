public import VaultFault
public import VaultIO

/// How the process of a tool that has no network begins (docs/DESIGN.md, hardening): signals and
/// descriptors first, then the tool opens its files, then it gives up what it does not need, and
/// only then it reads keys and input.
public enum FilterProcess {
  /// The first acts; options name the descriptors that stay open, `kept` more of them.
  public static func begin(
    _ arguments: Arguments, keeping kept: [Int32] = []
  ) throws(Fault) -> Protections {
    let protections = Hardening.start()
    _ = try Protections.areRequired()
    try arguments.checkFiles()
    try Hardening.requireOpen(arguments.descriptors)
    Hardening.closeOthers(keeping: arguments.descriptors + kept)
    try StandardDescriptors.secure()
    Signals.watch()
    return protections
  }

  /// Gives up all but the open descriptors, names in open `directories`, signals to `child`.
  public static func confine(
    _ protections: inout Protections, directories: [Int32] = [], child: Int32? = nil
  ) throws(Fault) {
    try Hardening.confine(
      .keyTool(directories: directories, child: child), adding: &protections)
  }

  /// What `--version --verbose` lists: this process takes on the protections and reports them.
  public static func protectionLines() -> ProtectionReport {
    ProtectionReport { (protections) throws(Fault) in try confine(&protections) }
  }
}
