public import VaultFault
public import VaultIO
internal import VaultRecord

/// Reads the rows of `vault-drop`, has several at work at once, and prints one answer for each.
public struct DropEngine: ~Copyable {
  private static let window = 1024
  private let dropper: Dropper
  private let jobs: Int
  private let needsEnd: Bool
  private let output: Descriptor
  private let notice: (Fault) -> Void
  private var window: [(row: DropRow?, answer: DropAnswer?, fault: Fault?)] = []
  private var first: Fault?
  private var rows: UInt64 = 0
  private var promised: UInt64?

  /// An engine; `notice` is told of each row whose object stays.
  public init(
    _ dropper: Dropper, jobs: Int, needsEnd: Bool, to output: consuming Descriptor,
    notice: @escaping (Fault) -> Void
  ) {
    self.dropper = dropper
    self.jobs = jobs
    self.needsEnd = needsEnd
    self.output = output
    self.notice = notice
  }

  /// Does all rows. Without an end line that was promised, those of the last window are not done.
  ///
  /// - Returns: the fault of the first row in the order of the rows whose object stays.
  /// - Throws: what ends it all: rows that cannot be read, answers that cannot be written, a signal.
  public mutating func run(_ input: borrowing Descriptor) throws(Fault) -> Fault? {
    var cutter = LineCutter(limit: Row.maximumBytes)
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = try input.read(into: &buffer), count > 0 {
      try cutter.push(buffer.span.extracting(0..<count)) { (line) throws(Fault) in
        try accept(line)
      }
    }
    if let line = cutter.finish() { try accept(line) }
    guard promised == rows || promised == nil && !needsEnd else {
      throw Fault(.incomplete, "\(rows) rows have come, and the end line does not say so")
    }
    guard promised != nil || rows > 0 else { throw noRows() }
    try work()
    return first
  }

  private mutating func accept(_ line: NumberedLine) throws(Fault) {
    if line.isEmpty { return }
    guard promised == nil else { throw Fault(.badRow, "a line follows the end line of the rows") }
    do throws(Fault) {
      guard let bytes = line.bytes else { throw Fault(.badRow, "the row is over 256 KiB") }
      guard let row = try DropRow.read(bytes, rows: &promised) else { return }
      window.append((row, nil, nil))
    } catch {
      let answer = DropAnswer(
        .kept, nil, reason: error.kind.rawValue, message: error.reason, line: line.number)
      let fault = Fault(error.kind, "line \(line.number): \(error.reason)", hint: error.hint)
      window.append((nil, answer, fault))
    }
    rows += 1
    if !needsEnd, window.count == DropEngine.window { try work() }
  }

  // Answers come in the order of the rows, each window when all of it is done.
  private mutating func work() throws(Fault) {
    let rows = window.map(\.row)
    let next = Monitor(0)
    let done = Monitor<[Int: (DropAnswer, Fault?)]>([:])
    try DropEngine.inParallel(min(jobs, rows.count)) { [dropper] in
      while true {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < rows.count else { return }
        guard let row = rows[index] else { continue }
        let found = dropper.answer(row)
        done.withLock { $0[index] = found }
      }
    }
    let found = done.withLock { $0 }
    for (index, entry) in window.enumerated() {
      if let (answer, fault) = found[index] {
        try say(answer, fault)
      } else if let answer = entry.answer {
        try say(answer, entry.fault)
      }
    }
    window = []
    try Signals.check()
  }

  private mutating func say(_ answer: DropAnswer, _ fault: Fault?) throws(Fault) {
    let line = answer.text + [0x0A]
    try output.writeAll(line.span)
    guard let fault else { return }
    if first == nil { first = fault }
    notice(fault)
  }

  private static func inParallel(
    _ count: Int, _ body: @escaping @Sendable () -> Void
  ) throws(Fault) {
    let left = Monitor(0)
    for number in 0..<count {
      left.withLock { $0 += 1 }
      do throws(Fault) {
        _ = try WorkerThread {
          body()
          left.withLock { $0 -= 1 }
        }
      } catch {
        left.withLock { $0 -= 1 }
        // Where there are some, they do the work of all: what was begun has its answer.
        if number == 0 { throw error }
        break
      }
    }
    _ = left.wait { $0 == 0 ? () : nil }
  }
}
