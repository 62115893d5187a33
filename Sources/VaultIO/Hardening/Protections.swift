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

  /// Whether VAULT_REQUIRE_SANDBOX demands every one of them.
  ///
  /// - Throws: ``VaultFault/FaultKind/badConfiguration`` for a word that says neither yes nor no: a
  ///   switch for safety must not be off by a slip.
  public static func areRequired() throws(Fault) -> Bool {
    let variable = "VAULT_REQUIRE_SANDBOX"
    guard let text = Environment.value(variable) else { return false }
    switch text.lowercased() {
    case "1", "yes", "true", "on": return true
    case "0", "no", "false", "off", "": return false
    default:
      throw Fault(
        .badConfiguration, "\(variable) is \(quoted(text)), expected yes or no",
        hint: "1, yes, true and on mean yes; 0, no, false, off and nothing mean no")
    }
  }

  /// Refuses to go on without one of them if ``areRequired()``.
  ///
  /// - Throws: ``VaultFault/FaultKind/missingProtection``, and as ``areRequired()``.
  public func requireIfAsked() throws(Fault) {
    guard try Protections.areRequired(), let first = missing.first else { return }
    throw Fault(
      .missingProtection,
      "VAULT_REQUIRE_SANDBOX demands a sandbox and a protection is missing: "
        + (missing.count == 1 ? first : missing.joined(separator: ", ")))
  }
}
