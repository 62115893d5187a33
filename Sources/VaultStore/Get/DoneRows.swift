internal import VaultDigest
public import VaultFault
internal import VaultFrame
public import VaultIO
internal import VaultRecord

/// The rows that receipts show as stored (`--done`): known by their item, or by all of their bytes; one
/// that is read from a URL with a query by its item only, since a receipt hides the query.
///
/// Holds 16 bytes of SHA-256 of each.
public struct DoneRows: Sendable {
  private static let lineLimit = 2 << 20
  private var names: Set<Name> = []
  /// Lines that were no receipt: their rows are read again.
  public private(set) var unreadable: UInt64 = 0

  private struct Name: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    init(_ kind: UInt8, _ text: [UInt8]) throws(Fault) {
      let bytes = [kind] + text
      let sum = try Digest.of(bytes.span, .sha256)
      high = sum.span.bigEndian(at: 0, bytes: 8)
      low = sum.span.bigEndian(at: 8, bytes: 8)
    }
  }

  /// None.
  public init() {}

  /// Reads receipts to the end of a file.
  public init(from file: borrowing Descriptor) throws(Fault) {
    var cutter = LineCutter(limit: DoneRows.lineLimit)
    var buffer = [UInt8](uninitializedCount: 256 << 10)
    while case let count = try file.read(into: &buffer), count > 0 {
      try cutter.push(buffer.span.extracting(0..<count)) { (line) throws(Fault) in
        try add(line.bytes)
      }
    }
    if let line = cutter.finish() { try add(line.bytes) }
  }

  /// Takes one line of receipts.
  mutating func add(_ line: [UInt8]?) throws(Fault) {
    guard let line, let receipt = DoneRows.receipt(in: line) else {
      unreadable += 1
      return
    }
    guard receipt.status == .stored else { return }
    if let item = receipt.item { names.insert(try Name(0, Array(item.utf8))) }
    if let row = receipt.row { names.insert(try Name(1, row)) }
  }

  /// True when a receipt shows this row as stored.
  func contains(_ row: Row) -> Bool {
    guard !names.isEmpty else { return false }
    if let item = row.item, has(0, Array(item.utf8)) { return true }
    if row.isReadFromSecret { return false }
    return (try? publicRow(row.raw)).map { has(1, $0) } ?? false
  }

  private func has(_ kind: UInt8, _ text: [UInt8]) -> Bool {
    (try? Name(kind, text)).map { names.contains($0) } ?? false
  }

  // A receipt that was being written when its process died has no line end, and the next one follows
  // it on the same line.
  private static func receipt(in line: [UInt8]) -> Receipt? {
    if let receipt = try? Receipt(line: line) { return receipt }
    let mark = Array(#"{"receipt":"#.utf8)
    let starts = line.indices.filter { line[$0...].starts(with: mark) }
    return starts.last.flatMap { try? Receipt(line: Array(line[$0...])) }
  }
}
