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
  /// All of it did, and the remote may be at work on it still.
  var mayStillHappen = false
  /// A fault of a source or a sink of ours, which speaks for itself.
  var own: Fault?

  /// The same, said of what was tried: `cannot store part 3 of "x": connection refused`.
  func fault(_ attempt: String) -> StoreFault {
    let text = attempt.isEmpty ? reason : "\(attempt): \(reason)"
    return StoreFault(
      own ?? Fault(kind, text, hint: hint), own == nil ? remedy : .permanent,
      mayHaveHappened: mayHaveHappened, mayStillHappen: mayStillHappen)
  }

  /// The same, knowing what had become of the request by then.
  func after(_ wire: Wire) -> HttpFailure {
    var failure = self
    failure.mayHaveHappened = wire.hasSent
    failure.mayStillHappen = wire.hasSentAll
    return failure
  }

  static let stopped = HttpFailure(kind: .cancelled, reason: "stopped")

  static func transient(_ reason: String, _ kind: FaultKind = .remoteFailed) -> HttpFailure {
    HttpFailure(kind: kind, reason: reason, remedy: .transient(retryAfterSeconds: nil))
  }

  static func quiet(milliseconds: Int) -> HttpFailure {
    transient("nothing moved for \(milliseconds / 1000) s", .remoteTimeout)
  }

  /// A fault of this machine: a spill file that cannot be read, say.
  static func local(_ fault: Fault) -> HttpFailure {
    HttpFailure(kind: fault.kind, reason: fault.reason, own: fault)
  }

  static let `internal` = HttpFailure(kind: .internalFault, reason: "libcurl cannot be set up")
}
