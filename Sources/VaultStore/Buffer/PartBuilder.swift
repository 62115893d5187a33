internal import VaultFault
internal import VaultIO

/// Collects the bytes of one part: in memory as long as the budget allows, then in a scratch file.
struct PartBuilder: ~Copyable {
  // Larger blocks are not worth their slack; a part of one small frame takes no more than that.
  private static let largestBlock = 1 << 20

  private let reservation: Reservation
  private let temporary: Path
  // Asked when the budget is used up: true when it is worth another try, false to spill.
  private let awaitMemory: () throws(Fault) -> Bool
  private var segments: [PartBuffer.Segment] = []
  private var block: [UInt8] = []
  private var room = 0
  private var scratch: Scratch?
  private var spilled: UInt64 = 0
  private(set) var size = 0

  init(
    _ budget: MemoryBudget, temporary: Path, awaitMemory: @escaping () throws(Fault) -> Bool
  ) {
    reservation = Reservation(of: budget)
    self.temporary = temporary
    self.awaitMemory = awaitMemory
  }

  mutating func append(_ bytes: Span<UInt8>) throws(Fault) {
    var rest = bytes
    while !rest.isEmpty {
      if room == 0, try !openBlock(for: rest.count) {
        try spill(rest)
        size += rest.count
        return
      }
      let count = min(room, rest.count)
      let piece = rest.extracting(0..<count)
      unsafe piece.withUnsafeBytes { unsafe block.append(contentsOf: $0) }
      room -= count
      size += count
      rest = rest.extracting(count...)
    }
  }

  consuming func finish() -> PartBuffer {
    closeBlock()
    return PartBuffer(segments, scratch, reservation)
  }

  private mutating func openBlock(for wanted: Int) throws(Fault) -> Bool {
    closeBlock()
    let capacity = min(PartBuilder.largestBlock, max(wanted, size))
    while !reservation.take(capacity) {
      if scratch != nil { return false }
      guard try awaitMemory() else { return false }
    }
    room = capacity
    block.reserveCapacity(capacity)
    return true
  }

  private mutating func closeBlock() {
    if !block.isEmpty { segments.append(.memory(block)) }
    block = []
    room = 0
  }

  private mutating func spill(_ bytes: Span<UInt8>) throws(Fault) {
    if scratch == nil { scratch = try Scratch(in: temporary) }
    try scratch?.file.write(bytes, at: spilled)
    if case .spilled(let at, let count)? = segments.last {
      segments[segments.count - 1] = .spilled(at: at, count: count + bytes.count)
    } else {
      segments.append(.spilled(at: spilled, count: bytes.count))
    }
    spilled += UInt64(bytes.count)
  }
}
