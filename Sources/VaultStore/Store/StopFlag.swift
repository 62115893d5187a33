internal import Synchronization
internal import VaultIO

/// A flag that asks calls to give up; raised once, never lowered.
///
/// A flag with a parent is raised when the parent is: one item's, below the whole process'.
public final class StopFlag: Sendable {
  private let raised = Atomic<Bool>(false)
  private let parent: StopFlag?
  private let heedsSignals: Bool
  private let deadline: UInt64?

  /// A flag that is down; one that heeds signals is raised by a signal that asks us to end, too.
  public init(parent: StopFlag? = nil, heedingSignals: Bool = false) {
    self.parent = parent
    heedsSignals = heedingSignals
    deadline = nil
  }

  /// A flag that goes up by itself after so long.
  init(inMilliseconds milliseconds: UInt64) {
    parent = nil
    heedsSignals = false
    deadline = Clock.deadline(inMilliseconds: milliseconds)
  }

  /// Asks everyone who looks at this flag, or at one below it, to give up.
  public func raise() { raised.store(true, ordering: .releasing) }

  /// Whether to give up. Cheap: look at it at each wait.
  public var isRaised: Bool {
    raised.load(ordering: .acquiring) || (heedsSignals && Signals.pending != nil)
      || (parent?.isRaised ?? false)
      || deadline.map { Clock.monotonic() >= $0 } ?? false
  }
}
