/// How far a transfer is, from what its workers count: pure, with the time handed in.
public struct ProgressMeter: Sendable {
  /// The bytes of the whole run, nil while unknown.
  public private(set) var total: UInt64?
  /// Items that have ended.
  public private(set) var items = 0
  /// Bytes that are done.
  public private(set) var done: UInt64 = 0
  private var samples: [(time: UInt64, done: UInt64)]

  /// A run that begins at `now` nanoseconds.
  public init(total: UInt64? = nil, now: UInt64) {
    self.total = total
    samples = [(now, 0)]
  }

  /// What the workers have counted so far: absolute numbers.
  public mutating func set(done: UInt64, total: UInt64?, items: UInt64) {
    self.done = done
    self.total = total
    self.items = Int(clamping: items)
  }

  /// What to show at `now` nanoseconds.
  public mutating func reading(at now: UInt64) -> ProgressReading {
    if let last = samples.last, now >= last.time + second { samples.append((now, done)) }
    samples.removeFirst(max(0, samples.count - 9))
    return ProgressReading(done: done, total: total, items: items, bytesPerSecond: speed(now))
  }

  // Over the last eight looks, a second or more apart, so that a stall shows soon.
  private func speed(_ now: UInt64) -> UInt64? {
    guard let first = samples.first, now >= first.time + second / 2 else { return nil }
    let bytes = done - min(done, first.done)
    let milliseconds = (now - first.time) / 1_000_000
    let (product, overflow) = bytes.multipliedReportingOverflow(by: 1000)
    return overflow ? bytes / max(1, milliseconds / 1000) : product / milliseconds
  }
}

private let second: UInt64 = 1_000_000_000

/// One look at a ``ProgressMeter``.
public struct ProgressReading: Equatable, Sendable {
  /// Bytes done.
  public let done: UInt64
  /// Bytes of the whole run, where known.
  public let total: UInt64?
  /// Items that have ended.
  public let items: Int
  /// The present speed, nil in the first half second.
  public let bytesPerSecond: UInt64?

  /// Whole percent, rounded down: 100 only when all is done. Nil when the size is unknown, or was
  /// said to be smaller than it is.
  public var percent: Int? {
    guard let total, total > 0, done <= total else { return nil }
    let (high, low) = done.multipliedFullWidth(by: 100)
    return Int(total.dividingFullWidth((high, low)).quotient)
  }

  /// Seconds left at the present speed; nil when that says nothing.
  public var secondsLeft: UInt64? {
    guard let total, done <= total, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
    return (total - done) / bytesPerSecond
  }
}
