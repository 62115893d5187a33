internal import VaultFault
internal import VaultIO

/// The memory of a place, which goes from hand to hand and is never copied: one thread has it at a time.
@safe final class PieceMemory: @unchecked Sendable {
  var bytes: [UInt8] = []
}

/// What became of a piece.
enum PieceAnswer: Sendable {
  /// All of it.
  case bytes(PieceMemory)
  /// It cannot be had.
  case failed(StoreFault)
  /// The server does not keep to ranges: the rest is to be read in one go.
  case unranged
}

/// The pieces of one object between the threads that fetch them and the one that writes them.
///
/// A piece has its place, and its memory, from when it is claimed until it has been written, so no
/// more than so many are held at once. They are claimed and written in order: whoever writes waits
/// for a piece that some thread is at work on.
final class PieceBoard: Sendable {
  let plan: PiecePlan
  private let floor: Monitor<Floor>

  private struct Floor: Sendable {
    let places: UInt64
    var nextClaim: UInt64 = 0
    var nextOut: UInt64 = 0
    var answers: [UInt64: PieceAnswer] = [:]
    var spare: [PieceMemory] = []
    var workers = 0
    // Nobody wants what was not claimed yet.
    var isOver = false
  }

  /// A piece to be fetched, and the memory for it.
  struct Claim: Sendable {
    let number: UInt64
    let range: Range<UInt64>
    let memory: PieceMemory
  }

  init(_ plan: PiecePlan, places: Int) {
    self.plan = plan
    floor = Monitor(Floor(places: UInt64(places)))
  }

  /// Waits for a place and takes the next piece; nil: there is none to fetch.
  func claim() -> Claim? {
    let number = floor.wait { [plan] floor -> (UInt64, PieceMemory)?? in
      if floor.isOver || floor.nextClaim == plan.count { return .some(nil) }
      guard floor.nextClaim - floor.nextOut < floor.places else { return nil }
      defer { floor.nextClaim += 1 }
      return (floor.nextClaim, floor.spare.popLast() ?? PieceMemory())
    }
    return number.flatMap { $0 }.map { (number, memory) in
      Claim(number: number, range: plan.range(of: number), memory: memory)
    }
  }

  /// Hands in what became of a piece; after a bad one no further is claimed.
  func settle(_ number: UInt64, _ answer: PieceAnswer) {
    floor.withLock { floor in
      if case .bytes = answer {} else { floor.isOver = true }
      floor.answers[number] = answer
    }
  }

  /// Waits for the next piece in order; nil when all were written.
  ///
  /// - Throws: `cancelled`.
  func next() throws(Fault) -> PieceAnswer? {
    try floor.waitHeedingSignals { [plan] floor -> PieceAnswer?? in
      if floor.nextOut == plan.count { return .some(nil) }
      return floor.answers.removeValue(forKey: floor.nextOut).map { .some($0) }
    }
  }

  /// The piece that ``next()`` gave has been written: its place and its memory are free.
  func written(_ memory: PieceMemory) {
    floor.withLock { floor in
      floor.spare.append(memory)
      floor.nextOut += 1
    }
  }

  /// The first byte that was not written.
  var offset: UInt64 {
    floor.withLock { floor in
      floor.nextOut == plan.count
        ? plan.bounds.upperBound : plan.range(of: floor.nextOut).lowerBound
    }
  }
}

// The threads at work.
extension PieceBoard {
  func enter() { floor.withLock { $0.workers += 1 } }
  func leave() { floor.withLock { $0.workers -= 1 } }

  /// Ends the work, and waits until nobody is at it.
  func end() {
    floor.withLock { $0.isOver = true }
    _ = floor.wait { $0.workers == 0 ? true : nil }
  }
}
