internal import VaultIO

/// Shows how far a transfer is, from a thread of its own that asks for it.
public final class ProgressReport: Sendable {
  /// How far it is, in absolute numbers.
  public struct Counts: Sendable {
    /// Bytes that are done.
    public var done: UInt64
    /// Bytes of the whole run; nil while unknown.
    public var total: UInt64?
    /// Items that are over.
    public var items: UInt64

    /// Takes all three.
    public init(done: UInt64, total: UInt64?, items: UInt64) {
      self.done = done
      self.total = total
      self.items = items
    }
  }

  private let progress: Progress
  private let over = Monitor(false)

  /// Begins to ask, five times a second, if anything is ever shown.
  public init(_ mode: ProgressMode, _ say: Diagnostics, _ counts: @escaping @Sendable () -> Counts)
  {
    progress = Progress(mode, say)
    guard progress.isShown else { return }
    let (progress, over) = (progress, over)
    _ = try? WorkerThread {
      while over.wait(until: Clock.deadline(inMilliseconds: 200), for: { $0 ? () : nil }) == nil {
        let now = counts()
        progress.report { $0.set(done: now.done, total: now.total, items: now.items) }
      }
    }
  }

  /// Ends the line.
  public func end() {
    over.withLock { $0 = true }
    progress.end()
  }
}
