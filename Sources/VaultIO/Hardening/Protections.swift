public import VaultFault

/// What keeps this process from leaking, as `--version --verbose` lists it.
public struct Protections: Sendable {
  /// One of them, and whether this kernel gave it.
  public struct Protection: Equatable, Sendable {
    /// `no-core`, `system-call-filter` and the like.
    public let name: String
    /// Whether it is on.
    public let active: Bool
  }

  /// In the order in which they were asked for.
  public private(set) var all: [Protection] = []

  /// None yet.
  public init() {}

  /// Notes one more, also of other modules (locked memory).
  public mutating func note(_ name: String, active: Bool) {
    all.append(Protection(name: name, active: active))
  }

  /// The names of those that are not on.
  public var missing: [String] { all.filter { !$0.active }.map(\.name) }

  /// Refuses to go on without one of them if VAULT_REQUIRE_SANDBOX is 1.
  ///
  /// - Throws: ``VaultFault/FaultKind/missingProtection``.
  public func requireIfAsked() throws(Fault) {
    guard Environment.value("VAULT_REQUIRE_SANDBOX") == "1", let first = missing.first else {
      return
    }
    throw Fault(
      .missingProtection,
      "VAULT_REQUIRE_SANDBOX is 1 and a protection is missing: "
        + (missing.count == 1 ? first : missing.joined(separator: ", ")))
  }
}
