internal import VaultFault
internal import VaultIO

/// Puts a file that several threads write to on stable storage: what was written while one sync was
/// under way shares the next.
final class SharedSync: Sendable {
  private let file: Descriptor
  private let rounds = Monitor(Rounds())

  private struct Rounds: Sendable {
    var asked: UInt64 = 0
    var done: UInt64 = 0
    var isBusy = false
    // The kernel tells a failure once: what comes after it would pass for good.
    var failure: Fault?
  }

  private enum Turn { case done, mine(UInt64), failed(Fault) }

  /// Of a file that its owner keeps open.
  init(of file: borrowing Descriptor) {
    self.file = Descriptor(borrowing: file.number, name: file.name)
  }

  /// Returns when all that was written before the call is on stable storage.
  func sync() throws(Fault) {
    let mine = rounds.withLock { rounds in
      rounds.asked += 1
      return rounds.asked
    }
    switch rounds.wait(for: { SharedSync.turn(&$0, mine) }) {
    // A wait without a limit gives an answer; no answer must never pass for a sync.
    case nil: throw Fault(.internalFault, "a sync was not waited for")
    case .done: return
    case .failed(let fault): throw fault
    case .mine(let asked):
      let result = Result { () throws(Fault) in try file.sync() }
      rounds.withLock { rounds in
        rounds.isBusy = false
        if case .failure(let fault) = result { rounds.failure = fault } else { rounds.done = asked }
      }
      try result.get()
    }
  }

  private static func turn(_ rounds: inout Rounds, _ mine: UInt64) -> Turn? {
    if let failure = rounds.failure { return .failed(failure) }
    if rounds.done >= mine { return .done }
    if rounds.isBusy { return nil }
    rounds.isBusy = true
    return .mine(rounds.asked)
  }
}
