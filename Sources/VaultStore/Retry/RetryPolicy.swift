internal import VaultFault

/// When a failed call is tried again, and how long that waits.
public struct RetryPolicy: Sendable {
  /// How often a call is made at most, the first time included (`--retries` and one).
  public var tries = 4
  /// The first pause in milliseconds; each one after it is twice as long.
  public var firstPause: UInt64 = 1000
  /// No pause is longer, whatever the remote asks for; in milliseconds.
  public var longestPause: UInt64 = 300_000
  /// A number from 0 up to 1, for the jitter.
  public var random: @Sendable () -> Double
  /// Milliseconds of a clock that only goes forward.
  public var now: @Sendable () -> UInt64
  /// Waits so many milliseconds, or until the flag is raised.
  public var pause: @Sendable (UInt64, StopFlag) -> Void

  /// A policy with its sources of chance and time.
  public init(
    random: @escaping @Sendable () -> Double, now: @escaping @Sendable () -> UInt64,
    pause: @escaping @Sendable (UInt64, StopFlag) -> Void
  ) {
    self.random = random
    self.now = now
    self.pause = pause
  }

  // Up to half as long again by chance, so that many clients do not come back together.
  func pauseLength(afterFailure number: Int, retryAfterSeconds wish: UInt64?) -> UInt64 {
    let base = min(longestPause, firstPause << UInt64(min(max(number - 1, 0), 16)))
    let jittered = base + UInt64(Double(base) / 2 * random())
    let wished = (wish ?? 0).multipliedReportingOverflow(by: 1000)
    return min(longestPause, max(jittered, wished.overflow ? .max : wished.partialValue))
  }
}

// The failures of one call so far.
struct Tries {
  private let policy: RetryPolicy
  private let start: UInt64
  private var count = 0
  private var adjustments = 0
  private var first: Fault?
  // One of them may have had its effect.
  private var inDoubt = false

  init(_ policy: RetryPolicy) {
    self.policy = policy
    self.start = policy.now()
  }

  // Returns when the call may be made again, else throws what is to be said of all its failures.
  mutating func wait(after failure: StoreFault, _ stop: StopFlag) throws(StoreFault) {
    count += 1
    if first == nil { first = failure.fault }
    inDoubt = inDoubt || failure.mayHaveHappened
    if stop.isRaised { throw stopped }
    switch failure.remedy {
    case .permanent, .impossible: throw summary(failure)
    case .refreshed, .redirected:
      adjustments += 1
      count -= 1
      if adjustments > 3 { throw summary(failure) }
    case .transient(let wish):
      guard count < policy.tries else { throw summary(failure) }
      policy.pause(policy.pauseLength(afterFailure: count, retryAfterSeconds: wish), stop)
      if stop.isRaised { throw stopped }
    }
  }

  private var stopped: StoreFault {
    StoreFault(StoreFault.stopped.fault, mayHaveHappened: inDoubt)
  }

  private func summary(_ last: StoreFault) -> StoreFault {
    guard count + adjustments > 1, let first else { return last }
    let seconds = (policy.now() - start + 500) / 1000
    var reason = "gave up after \(count + adjustments) tries in \(seconds) s"
    if first.reason != last.fault.reason { reason += ", first: \(first.reason), last" }
    let fault = Fault(last.fault.kind, "\(reason): \(last.fault.reason)", hint: last.fault.hint)
    return StoreFault(fault, mayHaveHappened: inDoubt)
  }
}
