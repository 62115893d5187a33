import Testing
import VaultFault
import VaultIO
import VaultRecord

@testable import VaultStore

private func intake(
  _ text: [UInt8], done: [String] = [], needsEnd: Bool = false
) throws -> (orders: [RowOrder], fault: Fault?) {
  var rows = DoneRows()
  for line in done { try rows.add(numbered(line)) }
  var intake = RowIntake(done: rows, needsEnd: needsEnd)
  var orders: [RowOrder] = []
  do throws(Fault) {
    try intake.push(text.span) { (order) throws(Fault) in orders.append(order) }
    try intake.finish { (order) throws(Fault) in orders.append(order) }
  } catch { return (orders, error) }
  return (orders, nil)
}

private func intake(
  _ lines: String..., done: [String] = [], needsEnd: Bool = false
) throws -> (orders: [RowOrder], fault: Fault?) {
  try intake(
    Array(lines.map { $0 + "\n" }.joined().utf8), done: done, needsEnd: needsEnd)
}

private func text(_ order: RowOrder) -> String {
  String(decoding: order.seed.rowText ?? [], as: UTF8.self)
}

@Suite struct RowIntakeTests {
  @Test func everyLineButAnEmptyOneIsAnOrderInItsPlace() throws {
    let found = try intake(
      #"{"source":"a","x":1.50,"u":"\u00e9"}"#, "", "[1]", #"{"source":"a","source":"b"}"#,
      #"{"source":7}"#, #"{"x":1}"#, #"{"object":"s3://b/k"}"#)
    #expect(found.fault == nil)
    #expect(found.orders.map(\.line) == [1] + Array(3...7))
    #expect(found.orders.map { $0.fault?.kind } == [nil] + [.badRow] * 4 + [nil])
    #expect(text(found.orders[0]) == #"{"source":"a","x":1.50,"u":"\u00e9"}"#)
    #expect(text(found.orders[1]) == #"{"line":3}"#)
    #expect(text(found.orders[2]) == #"{"line":4}"#)
    #expect(text(found.orders[3]) == #"{"source":7}"#)
  }

  @Test func bytesThatAreNotUTF8AreOneBadRow() throws {
    let found = try intake(Array(#"{"source":""#.utf8) + [0xFF] + Array("\"}\n".utf8))
    #expect(found.orders.map { $0.fault?.kind } == [.badRow])
    #expect(text(found.orders[0]) == #"{"line":1}"#)
  }

  @Test func aRowOverTheLimitIsOneBadRow() throws {
    let long = #"{"source":""# + String(repeating: "x", count: Row.maximumBytes) + #""}"#
    let found = try intake(long, #"{"source":"a"}"#)
    #expect(found.orders.map { $0.fault?.kind } == [.badRow, nil])
    #expect(text(found.orders[0]) == #"{"line":1}"#)
  }

  @Test func theEndLineCountsAllRows() throws {
    #expect(try intake(#"{"source":"a"}"#, "x", #"{"end":true,"rows":2}"#).fault == nil)
    let short = try intake(#"{"source":"a"}"#, #"{"end":true,"rows":2}"#)
    #expect(short.fault?.kind == .incomplete)
    #expect(short.orders.count == 1)
  }

  @Test func aMissingEndLineIsAFaultWhereItIsNeeded() throws {
    #expect(try intake(#"{"source":"a"}"#).fault == nil)
    #expect(try intake(#"{"source":"a"}"#, needsEnd: true).fault?.kind == .incomplete)
    #expect(try intake([], needsEnd: true).fault?.kind == .incomplete)
    #expect(try intake(#"{"end":true,"rows":0}"#, needsEnd: true).fault == nil)
  }

  @Test func nothingMayFollowTheEndLine() throws {
    let found = try intake(#"{"end":true,"rows":0}"#, #"{"source":"a"}"#)
    #expect(found.fault?.kind == .badRow)
    #expect(found.orders.isEmpty)
  }

  @Test func aURLIsNotInItsLabel() throws {
    let found = try intake(#"{"source":"https://h.example/k?X-Amz-Signature=S"}"#)
    #expect(found.orders[0].seed.source == "https://h.example")
  }

  @Test func aReceiptOfNothingAsksForNothing() throws {
    let found = try intake(
      #"{"receipt":"vault/1","status":"failed","object":"a"}"#,
      #"{"receipt":"vault/1","status":"stored","object":"a"}"#)
    #expect(found.orders.map { $0.fault?.kind } == [.missingObject, nil])
  }
}

@Suite struct DoneRowsTests {
  private let id = "00112233-4455-4677-8899-aabbccddeeff"

  @Test func B02_storedRowsArePassedOverAndStillCounted() throws {
    let found = try intake(
      #"{"source":"a","name":"secret"}"#, #"{"source":"b"}"#, #"{"end":true,"rows":2}"#,
      done: [#"{"receipt":"vault/1","status":"stored","row":{"source":"a"}}"#])
    #expect(found.fault == nil)
    #expect(found.orders.map(\.line) == [2])
  }

  @Test func onlyStoredIsDone() throws {
    for status in ["exists", "failed", "incomplete", "cancelled", "unknown"] {
      let found = try intake(
        #"{"source":"a"}"#,
        done: [#"{"receipt":"vault/1","status":"\#(status)","row":{"source":"a"}}"#])
      #expect(found.orders.count == 1)
    }
  }

  @Test func anItemIsAnIdentity() throws {
    let found = try intake(
      #"{"source":"a","item":"\#(id)"}"#,
      done: [#"{"receipt":"vault/1","item":"\#(id)","status":"stored"}"#])
    #expect(found.orders.isEmpty)
  }

  // What a receipt hides of a URL may be all that two rows differ in.
  @Test(arguments: ["https://h/a?id=1", "https://h/a?hidden", "https://x@h/a"])
  func aRowWithASecretURLIsDoneByItsItemOnly(_ url: String) throws {
    let shown = #"{"source":"https://h/a?hidden"}"#
    let receipt = #"{"receipt":"vault/1","item":"\#(id)","status":"stored","row":\#(shown)}"#
    #expect(try intake(#"{"source":"\#(url)"}"#, done: [receipt]).orders.count == 1)
    #expect(try intake(#"{"source":"https://h/a"}"#, done: [receipt]).orders.count == 1)
    let named = #"{"source":"\#(url)","item":"\#(id)"}"#
    #expect(try intake(named, done: [receipt]).orders.isEmpty)
  }

  @Test func onlyALineThatIsOneWholeReceiptCounts() throws {
    let whole = #"{"receipt":"vault/1","status":"stored","row":{"source":"a"}}"#
    for cut in 1..<whole.count {
      for line in [String(whole.prefix(cut)), whole.prefix(cut) + whole, whole + whole.prefix(cut)]
      {
        var rows = DoneRows()
        try rows.add(numbered(line, 7))
        #expect(rows.unreadable == 1 && rows.unreadableLines == [7], "\(line)")
        #expect(try intake(#"{"source":"a"}"#, done: [line]).orders.count == 1, "\(line)")
      }
    }
    #expect(try intake(#"{"source":"a"}"#, done: [whole + whole]).orders.count == 1)
    #expect(try intake(#"{"source":"a"}"#, done: ["", whole, ""]).orders.isEmpty)
  }

  @Test(arguments: ["", "\n", "{", #"{"receipt":"va"#, #"{"receipt":"vault/1","it"#])
  func whatACrashLeftOfAReceiptsFileIsOne(_ text: String) throws {
    #expect(try done(text).unreadable == (text.count > 1 || text == "{" ? 1 : 0))
  }

  @Test(arguments: ["x", "{}\n", #"{"source":"a"}"#, #"{"journal":"vault/1"}"#, "\n\nnotes\n"])
  func anotherFileHoldsNoReceipts(_ text: String) throws {
    let fault = #expect(throws: Fault.self) { try done(text) }
    #expect(fault?.kind == .badReceipt)
  }

  private func done(_ text: String) throws -> DoneRows {
    let directory = try TestDirectory()
    let path = Path(directory.path + "/receipts")
    try File.openForAppending(path).writeAll(Array(text.utf8).span)
    return try DoneRows(from: try File.open(path))
  }
}

private func numbered(_ line: String, _ number: UInt64 = 1) -> NumberedLine {
  var cutter = LineCutter(limit: 1 << 20)
  var found: NumberedLine?
  for _ in 1..<number { cutter.push([0x0A].span) { _ in } }
  cutter.push(Array((line + "\n").utf8).span) { found = $0 }
  return found ?? { fatalError("no line") }()
}

private func * <T>(list: [T], count: Int) -> [T] {
  Array(repeatElement(list, count: count).joined())
}
