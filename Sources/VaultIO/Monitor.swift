internal import CLinux
public import VaultFault

/// State that several threads share, one at a time, and can wait for.
///
/// Whoever changes the state asks the questions of those that wait, in the order in which they came,
/// and wakes only those that got an answer: sixteen idle threads cost nothing while one works.
@safe public final class Monitor<State>: @unchecked Sendable {
  private let lock: OpaquePointer
  private var state: State
  private var waiting: [Waiter] = []

  // A question that is asked for a thread while it sleeps.
  @safe private final class Waiter {
    let place: OpaquePointer
    // nil: it has its answer, or gave up.
    var ask: ((inout State) -> Bool)?

    init(_ ask: @escaping (inout State) -> Bool) {
      unsafe place = linux_place_make()
      self.ask = ask
    }

    deinit { unsafe linux_place_free(place) }
  }

  /// Takes the state over.
  public init(_ state: sending State) {
    unsafe lock = linux_monitor_make()
    self.state = state
  }

  deinit { unsafe linux_monitor_free(lock) }

  /// Gives `body` the state while no other thread has it, and then wakes whoever waited for that.
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe linux_monitor_lock(lock)
    defer { leave() }
    return try body(&state)
  }

  /// Waits until `body`, which is asked again after each change, gives something. Another thread may
  /// ask it, while this one sleeps.
  ///
  /// - Parameter deadline: monotonic nanoseconds; nil waits for ever.
  /// - Returns: what `body` gave; nil if the deadline passed.
  public func wait<Result>(
    until deadline: UInt64? = nil, for body: (inout State) -> Result?
  ) -> Result? {
    unsafe linux_monitor_lock(lock)
    if let result = body(&state) {
      leave()
      return result
    }
    defer { unsafe linux_monitor_unlock(lock) }
    return withoutActuallyEscaping(body) { body in
      var answer: Result?
      let waiter = Waiter { state in
        answer = body(&state)
        return answer != nil
      }
      sleep(waiter, deadline)
      return answer
    }
  }

  private func sleep(_ waiter: Waiter, _ deadline: UInt64?) {
    waiting.append(waiter)
    while waiter.ask != nil {
      if let deadline, Clock.monotonic() >= deadline {
        waiting.removeAll { $0 === waiter }
        waiter.ask = nil
      } else {
        unsafe linux_monitor_wait(lock, waiter.place, deadline ?? farFuture)
      }
    }
  }

  // An answer may change the state for those that were asked before. They are called when the
  // lock is free, so that nobody wakes only to wait for it.
  private func leave() {
    var answered: [Waiter] = []
    var next = 0
    while next < waiting.count {
      if waiting[next].ask?(&state) == true {
        let waiter = waiting.remove(at: next)
        waiter.ask = nil
        answered.append(waiter)
        next = 0
      } else {
        next += 1
      }
    }
    unsafe linux_monitor_unlock(lock)
    for waiter in answered { unsafe linux_place_call(waiter.place) }
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
