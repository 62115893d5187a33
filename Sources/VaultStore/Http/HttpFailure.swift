internal import VaultFault

/// An exchange that brought no whole answer.
struct HttpFailure: Error, Sendable {
  var kind: FaultKind
  /// Without what was tried: `connection refused`.
  var reason: String
  var hint: String?
  var remedy = Remedy.permanent
  /// The request, or some of it, went out.
  var mayHaveHappened = false
  /// A fault of a source or a sink of ours, which speaks for itself.
  var own: Fault?

  /// The same, said of what was tried: `cannot store part 3 of "x": connection refused`.
  func fault(_ attempt: String) -> StoreFault {
    if let own { return StoreFault(own, mayHaveHappened: mayHaveHappened) }
    let text = attempt.isEmpty ? reason : "\(attempt): \(reason)"
    return StoreFault(
      Fault(kind, text, hint: hint), remedy, mayHaveHappened: mayHaveHappened)
  }

  static let stopped = HttpFailure(
    kind: .cancelled, reason: "stopped", mayHaveHappened: true)

  static func transient(
    _ reason: String, _ kind: FaultKind = .remoteFailed, sent: Bool = true
  ) -> HttpFailure {
    HttpFailure(
      kind: kind, reason: reason, remedy: .transient(retryAfterSeconds: nil),
      mayHaveHappened: sent)
  }

  static func quiet(milliseconds: Int) -> HttpFailure {
    transient("nothing moved for \(milliseconds / 1000) s", .remoteTimeout)
  }

  /// A fault of this machine: a spill file that cannot be read, say.
  static func local(_ fault: Fault) -> HttpFailure {
    HttpFailure(kind: fault.kind, reason: fault.reason, mayHaveHappened: true, own: fault)
  }

  static let `internal` = HttpFailure(kind: .internalFault, reason: "libcurl cannot be set up")
}
