internal import VaultDigest
public import VaultFault
internal import VaultFrame
public import VaultIO
internal import VaultRecord

/// The rows that receipts show as stored (`--done`): known by their item, or by all of their bytes; one
/// that is read from a URL with a query by its item only, since a receipt hides the query.
///
/// A line counts only when all of it is one receipt: what a torn line swallowed is read again, since its
/// object has no receipt that anybody could check. A last line without its end that is a whole receipt is
/// one. Holds 16 bytes of SHA-256 of each.
public struct DoneRows: Sendable {
  private static let lineLimit = 2 << 20
  private var names: Set<Name> = []
  /// How many lines were no receipt: their rows are read again.
  public private(set) var unreadable: UInt64 = 0
  /// The numbers of the first of them.
  public private(set) var unreadableLines: [UInt64] = []
  private var receipts: UInt64 = 0
  private var looksTorn = false
  private static let mark = Array(#"{"receipt":"vault/1""#.utf8)

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
  ///
  /// - Throws: `bad-receipt` for a file that has lines and no receipt among them.
  public init(from file: borrowing Descriptor) throws(Fault) {
    var cutter = LineCutter(limit: DoneRows.lineLimit)
    var buffer = [UInt8](uninitializedCount: 256 << 10)
    while case let count = try file.read(into: &buffer), count > 0 {
      try cutter.push(buffer.span.extracting(0..<count)) { (line) throws(Fault) in
        try add(line)
      }
    }
    if let line = cutter.finish() { try add(line) }
    // Another file than was meant would have every row read again.
    guard unreadable == 0 || receipts > 0 || looksTorn else {
      throw Fault(.badReceipt, "\(file.name) holds no receipts")
    }
  }

  /// Takes one line of receipts.
  mutating func add(_ line: NumberedLine) throws(Fault) {
    if line.isEmpty { return }
    guard let bytes = line.bytes, let receipt = try? Receipt(line: bytes) else {
      unreadable += 1
      if unreadableLines.count < 8 { unreadableLines.append(line.number) }
      let start = line.bytes?.prefix(DoneRows.mark.count) ?? []
      looksTorn = looksTorn || (!start.isEmpty && DoneRows.mark.starts(with: start))
      return
    }
    receipts += 1
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
}
