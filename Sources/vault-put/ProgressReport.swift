import VaultCLI
import VaultFault
import VaultIO
import VaultStore

/// Shows how far the engine has come, from a thread of its own.
final class ProgressReport: Sendable {
  private let progress: Progress
  private let over = Monitor(false)

  init(_ mode: ProgressMode, _ engine: PutEngine, _ say: Diagnostics) {
    progress = Progress(mode, say)
    guard progress.isShown else { return }
    let (progress, over) = (progress, over)
    _ = try? WorkerThread {
      while over.wait(until: Clock.deadline(inMilliseconds: 200), for: { $0 ? () : nil }) == nil {
        let counts = engine.counts
        progress.report { $0.set(done: counts.stored, total: counts.expected, items: counts.items) }
      }
    }
  }

  func end() {
    over.withLock { $0 = true }
    progress.end()
  }
}
