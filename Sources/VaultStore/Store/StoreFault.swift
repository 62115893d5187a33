public import VaultFault

/// What may be done about a failure.
public enum Remedy: Equatable, Sendable {
  /// The same will happen again.
  case permanent
  /// The store has no such thing; whoever asked does without.
  case impossible
  /// It may pass (5xx, 429, resets, timeouts): again later, not before the remote's own wish.
  case transient(retryAfterSeconds: UInt64?)
  /// The store has set its clock or read its credentials anew: again at once.
  case refreshed
  /// The store has learnt the right region or host: again at once.
  case redirected
}

/// A failed call of a store: the fault, and what may be done about it.
public struct StoreFault: Error, Sendable {
  /// What a person reads: all of it, with what could not be done to which object. Nobody adds to it.
  public let fault: Fault
  /// What the retry policy reads.
  public let remedy: Remedy
  /// The request was sent and its answer was lost or unclear: the effect may be there.
  public let mayHaveHappened: Bool
  /// No answer came from the store itself: the effect may also come later, after a look that did not
  /// see it.
  public let mayStillHappen: Bool

  /// Takes all of them; a fault is permanent unless said otherwise.
  public init(
    _ fault: Fault, _ remedy: Remedy = .permanent, mayHaveHappened: Bool = false,
    mayStillHappen: Bool = false
  ) {
    self.mayStillHappen = mayStillHappen
    self.fault = fault
    self.remedy = remedy
    self.mayHaveHappened = mayHaveHappened
  }

  /// The store cannot do this by nature: `"resume"`, say.
  public static func cannot(_ what: String) -> StoreFault {
    StoreFault(Fault(.badConfiguration, "this store cannot \(what)"), .impossible)
  }

  /// The call gave up because its flag was raised.
  public static let stopped = StoreFault(Fault(.cancelled, "stopped"))
}

/// Runs `body` and lets its faults pass as permanent ones: for local work inside a store.
public func permanently<Value>(
  _ body: () throws(Fault) -> Value
) throws(StoreFault) -> Value {
  do { return try body() } catch { throw StoreFault(error) }
}
