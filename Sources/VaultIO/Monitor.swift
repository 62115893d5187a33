internal import CLinux
public import VaultFault

/// State that several threads share, one at a time, and can wait for.
@safe public final class Monitor<State>: @unchecked Sendable {
  private let lock: OpaquePointer
  private var state: State

  /// Takes the state over.
  public init(_ state: sending State) {
    unsafe lock = linux_monitor_make()
    self.state = state
  }

  deinit { unsafe linux_monitor_free(lock) }

  /// Gives `body` the state while no other thread has it, and then wakes whoever waits.
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe linux_monitor_lock(lock)
    defer {
      unsafe linux_monitor_wake_all(lock)
      unsafe linux_monitor_unlock(lock)
    }
    return try body(&state)
  }

  /// Wakes whoever waits, so that each asks its question again.
  public func signal() { unsafe linux_monitor_wake_all(lock) }

  /// Waits until `body`, which is asked again after each change, gives something.
  ///
  /// - Parameter deadline: monotonic nanoseconds; nil waits for ever.
  /// - Returns: what `body` gave; nil if the deadline passed.
  public func wait<Result>(
    until deadline: UInt64? = nil, for body: (inout State) -> Result?
  ) -> Result? {
    unsafe linux_monitor_lock(lock)
    defer {
      unsafe linux_monitor_wake_all(lock)
      unsafe linux_monitor_unlock(lock)
    }
    while true {
      if let result = body(&state) { return result }
      if let deadline, Clock.monotonic() >= deadline { return nil }
      unsafe linux_monitor_wait(lock, deadline ?? farFuture)
    }
  }

  /// The same on the main thread, where a signal must be seen: asks for one ten times a second.
  ///
  /// - Throws: ``VaultFault/FaultKind/cancelled``.
  public func waitHeedingSignals<Result>(
    for body: (inout State) -> Result?
  ) throws(Fault) -> Result {
    while true {
      try Signals.check()
      let slice = Clock.deadline(inMilliseconds: 100)
      if let result = wait(until: slice, for: body) { return result }
    }
  }
}

private let farFuture = UInt64(Int64.max)
