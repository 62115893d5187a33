public import VaultFault
public import VaultIO

/// How the process of a tool that has a network begins (docs/DESIGN.md, hardening). It holds no key.
public enum NetworkProcess {
  /// The first acts; options name the descriptors that stay open. A broken pipe is a fault of a
  /// write, and a signal leaves time to take back what is open.
  public static func begin(_ arguments: Arguments) throws(Fault) -> Protections {
    let protections = Hardening.start()
    _ = try Protections.areRequired()
    try arguments.checkFiles()
    Hardening.closeOthers(keeping: arguments.descriptors)
    try StandardDescriptors.secure()
    Signals.ignorePipe()
    Signals.watch(endingWithin: 25_000)
    return protections
  }

  /// Gives up exec, and all files but these. Threads that are started later are held to it.
  public static func confine(
    _ protections: inout Protections, reading: [Path], writing: [Path]
  ) throws(Fault) {
    try Hardening.confine(
      .networkTool(reading: reading, writing: writing), adding: &protections)
  }

  /// What `--version --verbose` lists.
  public static func protectionLines() -> ProtectionReport {
    ProtectionReport { (protections) throws(Fault) in
      try confine(&protections, reading: [], writing: [])
    }
  }
}
