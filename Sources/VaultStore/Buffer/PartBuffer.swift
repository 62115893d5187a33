internal import Synchronization
internal import VaultFault
internal import VaultIO

/// The bytes of one part: blocks in memory, and what did not fit in a file without a name.
final class PartBuffer: PartBytes {
  enum Segment: Sendable {
    case memory([UInt8])
    case spilled(at: UInt64, count: Int)

    var count: Int {
      switch self {
      case .memory(let block): block.count
      case .spilled(_, let count): count
      }
    }
  }

  let size: UInt64
  private let segments: [Segment]
  private let starts: [UInt64]
  private let scratch: Scratch?
  private let reservation: Reservation

  init(_ segments: [Segment], _ scratch: Scratch?, _ reservation: Reservation) {
    var starts: [UInt64] = []
    var end: UInt64 = 0
    for segment in segments {
      starts.append(end)
      end += UInt64(segment.count)
    }
    self.segments = segments
    self.starts = starts
    self.size = end
    self.scratch = scratch
    self.reservation = reservation
  }

  func read(at offset: UInt64, into out: inout MutableSpan<UInt8>) throws(Fault) -> Int {
    guard offset < size, !out.isEmpty else { return 0 }
    let place = segment(at: offset)
    let within = Int(offset - starts[place])
    switch segments[place] {
    case .memory(let block):
      let count = min(out.count, block.count - within)
      out.copyPrefix(of: block.span.extracting(within..<within + count))
      return count
    case .spilled(let at, let count):
      let from = at + UInt64(within)
      return try scratch?.file.read(into: &out, at: from, atMost: count - within) ?? 0
    }
  }

  func forEachPiece(
    _ body: (Span<UInt8>, _ at: UInt64) throws(Fault) -> Void
  ) throws(Fault) {
    for (segment, start) in zip(segments, starts) {
      switch segment {
      case .memory(let block):
        for from in stride(from: 0, to: block.count, by: Self.piece) {
          let until = min(block.count, from + Self.piece)
          try body(block.span.extracting(from..<until), start + UInt64(from))
        }
      case .spilled(_, let count): try copyPieces(in: start..<start + UInt64(count), body)
      }
    }
  }

  // The last segment that does not start after the offset.
  private func segment(at offset: UInt64) -> Int {
    var low = 0
    var high = starts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    return low
  }
}

/// A scratch file that its part and its reader share.
final class Scratch: Sendable {
  let file: ScratchFile

  init(in path: Path) throws(Fault) { file = try ScratchFile(in: path) }
}

/// Memory for part buffers, counted over all items of the process.
final class MemoryBudget: Sendable {
  let limit: Int
  private let used = Atomic<Int>(0)
  private let most = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  // The most that was in use at one time.
  var peak: Int { most.load(ordering: .relaxed) }

  func take(_ count: Int) -> Bool {
    let now = used.wrappingAdd(count, ordering: .acquiringAndReleasing).newValue
    guard now <= limit else {
      give(count)
      return false
    }
    most.max(now, ordering: .relaxed)
    return true
  }

  func give(_ count: Int) { used.wrappingSubtract(count, ordering: .acquiringAndReleasing) }
}

/// What one part has taken of the budget; given back with this value.
final class Reservation: Sendable {
  private let budget: MemoryBudget
  private let held = Atomic<Int>(0)

  init(of budget: MemoryBudget) { self.budget = budget }

  deinit { budget.give(held.load(ordering: .acquiring)) }

  func take(_ count: Int) -> Bool {
    guard budget.take(count) else { return false }
    held.wrappingAdd(count, ordering: .releasing)
    return true
  }
}

extension MutableSpan<UInt8> {
  // Copies all of `bytes`, for which there must be room, to the front.
  mutating func copyPrefix(of bytes: Span<UInt8>) {
    precondition(bytes.count <= count)
    unsafe withUnsafeMutableBytes { target in
      unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    }
  }
}
