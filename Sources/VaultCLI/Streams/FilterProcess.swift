public import VaultFault
public import VaultIO

/// How the process of a filter begins (docs/DESIGN.md, hardening): signals, descriptors, then all
/// files are opened by the tool, then it gives up what it does not need.
public enum FilterProcess {
  /// The first acts; `arguments` names the descriptors that stay open.
  public static func begin(_ arguments: Arguments) throws(Fault) -> Protections {
    try begin(keeping: arguments.descriptors)
  }

  private static func begin(keeping kept: [Int32]) throws(Fault) -> Protections {
    let protections = Hardening.start()
    Hardening.closeOthers(keeping: kept)
    try StandardDescriptors.secure()
    Signals.watch()
    return protections
  }
}
