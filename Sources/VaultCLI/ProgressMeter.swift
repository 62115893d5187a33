/// How far a transfer is, from what its workers report: pure, with the time handed in.
///
/// Bytes of a part count once however often the part is sent again, and bytes that were there
/// before (a resumed upload) count as done but never as speed.
public struct ProgressMeter: Sendable {
  /// A part of an item of a run; an item without parts is part 0.
  public struct Part: Hashable, Sendable {
    /// The ordinal of the item in the run.
    public let item: Int
    /// The number of the part in the item.
    public let number: Int

    /// Names a part.
    public init(item: Int, number: Int) {
      self.item = item
      self.number = number
    }
  }

  /// The bytes of the whole run, nil while unknown.
  public var total: UInt64?
  /// Items that have ended.
  public private(set) var items = 0
  /// Bytes that are done or on their way.
  public private(set) var done: UInt64 = 0
  private var resumed: UInt64 = 0
  private var settled: Set<Part> = []
  private var inFlight: [Part: UInt64] = [:]
  private var samples: [(time: UInt64, fresh: UInt64)]

  /// A run that begins at `now` nanoseconds.
  public init(total: UInt64? = nil, now: UInt64) {
    self.total = total
    samples = [(now, 0)]
  }

  /// What a worker that counts for itself says: absolute numbers.
  public mutating func set(done: UInt64, total: UInt64?, items: UInt64) {
    self.done = done
    self.total = total
    self.items = Int(clamping: items)
  }

  /// So many bytes of a part have been moved by its present try: an absolute number, which goes
  /// back to 0 when the part is tried again.
  public mutating func moved(_ bytes: UInt64, of part: Part) {
    guard !settled.contains(part) else { return }
    count(bytes, insteadOf: inFlight.updateValue(bytes, forKey: part) ?? 0)
  }

  /// A part has arrived and is acknowledged; said again, it changes nothing.
  public mutating func settle(_ part: Part, bytes: UInt64) {
    guard settled.insert(part).inserted else { return }
    count(bytes, insteadOf: inFlight.removeValue(forKey: part) ?? 0)
  }

  /// A part was found to be there already.
  public mutating func resume(_ part: Part, bytes: UInt64) {
    guard !settled.contains(part) else { return }
    settle(part, bytes: bytes)
    resumed = resumed.addingReportingOverflow(bytes).partialValue
  }

  /// An item has ended, well or not; what was on its way and never arrived is taken back.
  public mutating func end(item: Int) {
    for (part, bytes) in inFlight where part.item == item { count(0, insteadOf: bytes) }
    inFlight = inFlight.filter { $0.key.item != item }
    settled = settled.filter { $0.item != item }
    items += 1
  }

  /// What to show at `now` nanoseconds.
  public mutating func reading(at now: UInt64) -> ProgressReading {
    let fresh = done - min(done, resumed)
    if let last = samples.last, now >= last.time + second { samples.append((now, fresh)) }
    samples.removeFirst(max(0, samples.count - 9))
    return ProgressReading(
      done: done, total: total, items: items, bytesPerSecond: speed(fresh, now))
  }

  // Over the last eight looks, a second or more apart, so that a stall shows soon.
  private func speed(_ fresh: UInt64, _ now: UInt64) -> UInt64? {
    guard let first = samples.first, now >= first.time + second / 2 else { return nil }
    let bytes = fresh - min(fresh, first.fresh)
    let milliseconds = (now - first.time) / 1_000_000
    let (product, overflow) = bytes.multipliedReportingOverflow(by: 1000)
    return overflow ? bytes / max(1, milliseconds / 1000) : product / milliseconds
  }

  private mutating func count(_ new: UInt64, insteadOf old: UInt64) {
    done = (done - min(done, old)).addingReportingOverflow(new).partialValue
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
