internal import Synchronization

/// Standard error, shared by messages and by the line of progress that may stand under them.
public final class Console: Sendable {
  /// The machine behind it.
  public let system: System
  private let statusShown = Mutex(false)

  /// The console of a process; a tool has one.
  public init(_ system: System) { self.system = system }

  /// Writes one line; a line of progress that stands there is erased in the same write.
  public func line(_ text: String) {
    statusShown.withLock { shown in
      system.say(Array(((shown ? Console.erase : "") + text + "\n").utf8))
      shown = false
    }
  }

  /// Shows or replaces the line of progress, which ends without a line feed; nil erases it.
  public func status(_ text: String?) {
    statusShown.withLock { shown in
      guard text != nil || shown else { return }
      system.say(Array((Console.erase + (text ?? "")).utf8))
      shown = text != nil
    }
  }

  // Back to the first column, and clear to the end of the line.
  private static let erase = "\r\u{1b}[K"
}
