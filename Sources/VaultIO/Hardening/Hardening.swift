internal import CLinux
public import VaultFault

/// What a tool gives up before it sees a key or a byte of input (docs/DESIGN.md, hardening).
///
/// ``start()`` and ``closeOthers(keeping:)`` come first, then files are opened and threads started,
/// then ``confine(_:adding:)``, and only then keys, prompts and input.
public enum Hardening {
  /// What a tool still needs after ``confine(_:adding:)``.
  public enum Confinement: Sendable {
    /// Descriptors it has; names in these open directories; signals to this child.
    case keyTool(directories: [Int32] = [], child: Int32? = nil)
    /// The network; these files and directories for reading, these for writing and new files.
    ///
    /// Only threads started afterwards are held to the files.
    case networkTool(reading: [Path] = [], writing: [Path] = [])
  }

  /// Traps end the process without a word, no core, no new privileges, no look from outside.
  ///
  /// - Returns: what is on.
  public static func start() -> Protections {
    linux_signals_reset_traps()
    var protections = Protections()
    protections.note("no-core", active: linux_forbid_core() == 0)
    protections.note("no-new-privileges", active: linux_forbid_privileges() == 0)
    protections.note("not-dumpable", active: linux_forbid_dump() == 0)
    return protections
  }

  /// Forbids all that `confinement` does not name, for good.
  ///
  /// - Throws: ``VaultFault/FaultKind/noResources`` if there is no descriptor left to do it with;
  ///   ``VaultFault/FaultKind/missingProtection`` if VAULT_REQUIRE_SANDBOX demands all protections and
  ///   one is missing.
  public static func confine(
    _ confinement: Confinement, adding protections: inout Protections
  ) throws(Fault) {
    protections.note("file-sandbox", active: try FileSandbox.enter(confinement))
    protections.note("system-call-filter", active: SystemCallFilter.load(confinement))
    try protections.requireIfAsked()
  }
}
