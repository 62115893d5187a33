public import VaultFault
public import VaultIO

/// What `--version --verbose` says of this process: a line for each protection, and the fault with which
/// a tool would end here (one is missing that VAULT_REQUIRE_SANDBOX demands).
public struct ProtectionReport: Sendable, ExpressibleByArrayLiteral {
  /// `no-core: on` and the like.
  public let lines: [String]
  /// Why this tool would not run.
  public let fault: Fault?

  /// Lines and no fault.
  public init(arrayLiteral lines: String...) {
    self.lines = lines
    fault = nil
  }

  /// Takes on the protections with `confine` and reports them, also those before one that failed.
  public init(_ confine: (inout Protections) throws(Fault) -> Void) {
    var protections = Hardening.start()
    var found: Fault?
    do throws(Fault) {
      _ = try Protections.areRequired()
      try confine(&protections)
    } catch { found = error }
    lines = protections.all.map { "\($0.name): \($0.active ? "on" : "missing")" }
    fault = found
  }
}
