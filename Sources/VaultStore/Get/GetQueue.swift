internal import VaultFault
internal import VaultIO

/// What was read ahead for an order.
enum Fetched: Sendable {
  /// All of it.
  case whole(ObjectHead, [UInt8])
  /// Nothing yet: it is read when its turn comes, and must still be what it was.
  case large(any ObjectSource, ObjectHead)
  /// Nothing can be had.
  case failed(Fault)
}

/// The orders between the thread that reads rows, those that read ahead, and the one that writes.
///
/// An order keeps its place until it has been written, so no more than so many are held at once.
/// Places are taken in the order of the rows, and whoever writes waits for the first of them only:
/// some thread is always at work on it.
final class GetQueue: Sendable {
  private let floor: Monitor<Floor>

  private struct Floor: Sendable {
    let places: UInt64
    var orders: [UInt64: RowOrder] = [:]
    var fetched: [UInt64: Fetched] = [:]
    var nextIn: UInt64 = 0
    var nextClaim: UInt64 = 0
    var nextOut: UInt64 = 0
    var ending: Result<Void, Fault>?
    var isClosed = false
  }

  /// A queue of so many places.
  init(places: Int) { floor = Monitor(Floor(places: UInt64(places))) }

  /// Puts an order in, when there is a place; false: nobody wants it any more.
  func put(_ order: RowOrder) -> Bool {
    floor.wait { floor in
      if floor.isClosed { return false }
      guard floor.nextIn - floor.nextOut < floor.places else { return nil }
      floor.orders[floor.nextIn] = order
      if let fault = order.fault { floor.fetched[floor.nextIn] = .failed(fault) }
      floor.nextIn += 1
      return true
    } ?? false
  }

  /// Says that no more orders come, well or not.
  func end(_ ending: Result<Void, Fault>) { floor.withLock { $0.ending = ending } }

  /// Nobody wants anything any more.
  func close() { floor.withLock { $0.isClosed = true } }

  /// The next order to read ahead; nil: there will be none.
  func claim() -> (place: UInt64, order: RowOrder)? {
    let claimed = floor.wait { floor -> (UInt64, RowOrder)?? in
      if floor.isClosed { return .some(nil) }
      while floor.nextClaim < floor.nextIn {
        let place = floor.nextClaim
        floor.nextClaim += 1
        if floor.fetched[place] == nil, let order = floor.orders[place] { return (place, order) }
      }
      return floor.ending == nil ? nil : .some(nil)
    }
    return claimed.flatMap { $0 }.map { (place: $0.0, order: $0.1) }
  }

  /// Hands in what was read ahead.
  func settle(_ place: UInt64, _ fetched: Fetched) {
    floor.withLock { $0.fetched[place] = fetched }
  }

  /// Waits for the next order in the order of the rows; nil when all were written.
  ///
  /// - Throws: `cancelled`; how the rows ended, once all before were written.
  func next() throws(Fault) -> (RowOrder, Fetched)? {
    let next = try floor.waitHeedingSignals { floor -> Result<(RowOrder, Fetched)?, Fault>? in
      if let order = floor.orders[floor.nextOut],
        let fetched = floor.fetched.removeValue(forKey: floor.nextOut)
      {
        return .success((order, fetched))
      }
      guard floor.nextOut == floor.nextIn, let ending = floor.ending else { return nil }
      return ending.map { nil }
    }
    return try next.get()
  }

  /// The order that ``next()`` gave has been written: its place is free.
  func written() {
    floor.withLock { floor in
      floor.orders[floor.nextOut] = nil
      floor.nextOut += 1
    }
  }
}
