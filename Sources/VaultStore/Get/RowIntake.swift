internal import VaultFault
internal import VaultRecord

/// What one line of the rows asks for.
struct RowOrder: Sendable {
  /// The line, counted from 1.
  var line: UInt64
  /// What its label will say.
  var seed: LabelSeed
  /// Why nothing is read for it.
  var fault: Fault?
}

/// Reads the lines of the rows into orders, and knows at the end whether all rows have come.
///
/// A line that is no good row is an order that fails: none is ever skipped, but for empty lines.
struct RowIntake: Sendable {
  private let done: DoneRows
  private let needsEnd: Bool
  private var cutter = LineCutter(limit: Row.maximumBytes)
  private var rows: UInt64 = 0
  private var promised: UInt64?

  init(done: DoneRows, needsEnd: Bool) {
    self.done = done
    self.needsEnd = needsEnd
  }

  /// Takes the next bytes; throws `bad-row` for a line after the end line, and what `take` throws.
  mutating func push(
    _ bytes: Span<UInt8>, _ take: (RowOrder) throws(Fault) -> Void
  ) throws(Fault) {
    var cutter = cutter
    defer { self.cutter = cutter }
    try cutter.push(bytes) { (line) throws(Fault) in try accept(line, take) }
  }

  /// Says that no more bytes come; throws `incomplete` when rows are missing, `nothing-judged` when there are none
  /// and no end line says so.
  mutating func finish(_ take: (RowOrder) throws(Fault) -> Void) throws(Fault) {
    if let line = cutter.finish() { try accept(line, take) }
    guard let promised else {
      if needsEnd { throw Fault(.incomplete, "the rows ended before their end line") }
      guard rows > 0 else { throw noRows() }
      return
    }
    guard promised == rows else {
      throw Fault(.incomplete, "\(rows) rows have come, the end line counts \(promised)")
    }
  }

  private mutating func accept(
    _ line: NumberedLine, _ take: (RowOrder) throws(Fault) -> Void
  ) throws(Fault) {
    if line.isEmpty { return }
    guard promised == nil else { throw Fault(.badRow, "a line follows the end line of the rows") }
    do throws(Fault) {
      switch try RowIntake.read(line) {
      case .end(let count): promised = count
      case .row(let row):
        rows += 1
        if !done.contains(row) { try take(RowIntake.order(row, line.number)) }
      }
    } catch {
      guard error.kind == .badRow else { throw error }
      rows += 1
      try take(RowIntake.bad(line, error))
    }
  }

  private static func read(_ line: NumberedLine) throws(Fault) -> RowLine {
    guard let bytes = line.bytes else { throw Fault(.badRow, "the row is over 256 KiB") }
    return try RowLine(bytes)
  }

  private static func order(_ row: Row, _ line: UInt64) -> RowOrder {
    RowOrder(
      line: line, seed: LabelSeed(row: row, rowText: row.raw, source: shown(row.source)),
      fault: row.nothingStored)
  }

  // A URL may be a permission: the label has the host only.
  private static func shown(_ source: String) -> String {
    guard case .url(let url)? = try? SourceName(source) else { return source }
    return SourceName.url(url).shown
  }

  private static func bad(_ line: NumberedLine, _ fault: Fault) -> RowOrder {
    let text = line.bytes.flatMap { (try? publicRow($0)) == nil ? nil : $0 }
    let seed = LabelSeed(rowText: text ?? LabelSeed.text(line: line.number))
    return RowOrder(line: line.number, seed: seed, fault: fault)
  }
}

/// Rows that are not there may be those of a query that died: only an end line says that there are none.
func noRows() -> Fault {
  Fault(
    .nothingJudged, "no rows have come",
    hint: #"a last line {"end":true,"rows":0} says that there are none"#)
}

extension Row {
  /// A receipt that says that nothing was stored asks for nothing.
  var nothingStored: Fault? {
    guard let status, ["failed", "incomplete", "cancelled"].contains(status) else { return nil }
    return Fault(.missingObject, "the receipt says \(status): nothing was stored")
  }
}
