import Testing
import VaultFault

@testable import VaultRecord

/// A file of receipts in memory, and what its book says.
private struct Receipts {
  var lines: [String]
  let refused = Refused()

  final class Refused { var lines: [UInt64] = [] }

  static func item(_ number: Int) -> String {
    "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - String(number).count)
      + String(number)
  }

  static func line(_ number: Int, _ more: String = "", status: String = "stored") -> String {
    #"{"receipt":"vault/1","item":"\#(item(number))","status":"\#(status)"\#(more)}"#
  }

  func book(endsLast: Bool = true) throws(Fault) -> ReceiptBook {
    let refused = refused
    var maker = ReceiptBookMaker { (line, _) in refused.lines.append(line) }
    var file: [UInt8] = []
    for (index, line) in lines.enumerated() {
      let isEnded = endsLast || index < lines.count - 1
      let bytes = Array(line.utf8) + (isEnded ? [0x0A] : [])
      maker.push(bytes[...])
      file += bytes
    }
    return try maker.finish { [file] (offset, count) in
      Array(file[min(file.count, Int(offset))..<min(file.count, Int(offset) + count)])
    }
  }
}

private func isExpected(_ answer: ReceiptBook.Answer) -> Bool {
  if case .expected = answer { true } else { false }
}

@Test func aBookFindsEachReceiptOnce() throws {
  let count = 1000
  var book = try Receipts(lines: (0..<count).map { Receipts.line($0 * 7 % count) }).book()
  #expect(book.count == count)
  for number in 0..<count {
    #expect(isExpected(try book.take(Receipts.item(number))))
    guard case .again = try book.take(Receipts.item(number)) else {
      Issue.record("item \(number) was found twice")
      return
    }
  }
  guard case .unknown = try book.take(Receipts.item(count)) else {
    Issue.record("a receipt that is not there")
    return
  }
}

@Test func whatNobodyAskedForIsLeftInTheOrderOfTheFile() throws {
  var book = try Receipts(lines: [5, 2, 9, 1].map { Receipts.line($0) }).book()
  _ = try book.take(Receipts.item(2))
  var left: [UInt64] = []
  try book.forEachLeft { (line, _) in left.append(line) }
  #expect(left == [1, 3, 4])
}

@Test(arguments: ["failed", "exists", "incomplete", "cancelled", "unknown"])
func whatIsNotStoredIsCountedAndNotExpected(_ status: String) throws {
  let book = try Receipts(lines: [Receipts.line(1), Receipts.line(2, status: status)]).book()
  #expect(book.count == 1 && book.notStored == 1 && book.badLines == 0)
}

@Test func linesThatAreNoReceiptsAreNumberedAndHideNoOther() throws {
  let good = Receipts.line(1)
  let torn = String(Receipts.line(3).dropLast(9))
  let receipts = Receipts(lines: [
    "", good, torn + Receipts.line(4), "{}", "no", Receipts.line(2), "  ", torn,
  ])
  let book = try receipts.book(endsLast: false)
  #expect(book.count == 2 && book.badLines == 4)
  #expect(receipts.refused.lines == [3, 4, 5, 8])
}

@Test func aWholeLastLineCountsWithoutItsLineEnd() throws {
  #expect(
    try Receipts(lines: [Receipts.line(1), Receipts.line(2)]).book(endsLast: false).count == 2)
}

@Test func ofTwoReceiptsOfOneObjectTheLaterOneCounts() throws {
  let sum = String(repeating: "a", count: 64)
  let first = Receipts.line(1, #","sha256":"\#(sum)","envelope":"old""#)
  let second = Receipts.line(1, #","sha256":"\#(sum)","envelope":"new""#)
  var book = try Receipts(lines: [first, second]).book()
  #expect(book.count == 1 && book.badLines == 0)
  guard case .expected(let receipt) = try book.take(Receipts.item(1)) else {
    Issue.record("not found")
    return
  }
  #expect(receipt.envelope == "new")
}

@Test func receiptsOfOneItemThatContradictEachOtherAreRefused() throws {
  let sums = ["a", "b"].map { String(repeating: $0, count: 64) }
  let receipts = Receipts(lines: sums.map { Receipts.line(1, #","sha256":"\#($0)""#) })
  let book = try receipts.book()
  #expect(book.count == 1 && book.badLines == 1 && receipts.refused.lines == [2])
}

@Test func aFileThatChangesWhileItIsUsedIsNoticed() throws {
  var maker = ReceiptBookMaker { (_, _) in }
  let line = Array(Receipts.line(1).utf8)
  maker.push(line[...])
  var book = try maker.finish { (_, _) in Array(Receipts.line(1, #","etag":"x""#).utf8) }
  #expect(throws: Fault.self) { _ = try book.take(Receipts.item(1)) }
}

@Test func aBookOfManyKeepsTheOneThatIsChosen() throws {
  var book = try Receipts(lines: [Receipts.line(1), Receipts.line(2)]).book()
  let (misses, hits) = (book.keepOnly(Receipts.item(3)), book.keepOnly(Receipts.item(2)))
  #expect(!misses && hits && book.count == 1)
  guard case .unknown = try book.take(Receipts.item(1)) else {
    Issue.record("the other one is still expected")
    return
  }
}

@Test func oneReceiptOnSeveralLinesIsTaken() throws {
  var maker = ReceiptBookMaker { (_, _) in }
  let text = Array(("\n\n" + Receipts.line(1).replacing(",", with: ",\n  ") + "\n").utf8)
  let isTaken = maker.add(whole: text)
  #expect(isTaken)
  let book = try maker.finish { (offset, count) in
    Array(text[Int(offset)..<Int(offset) + count])
  }
  var lines: [UInt64] = []
  try book.forEachLeft { (line, _) in lines.append(line) }
  #expect(lines == [3])
}

extension String {
  fileprivate func replacing(_ old: Character, with new: String) -> String {
    reduce(into: "") { $0 += $1 == old ? new : String($1) }
  }
}

@Test func aLineThatIsTooLongHidesNoOther() throws {
  let long = "{\"x\":\"" + String(repeating: "y", count: 1 << 20) + "\"}"
  let receipts = Receipts(lines: [Receipts.line(1), long, Receipts.line(2)])
  var book = try receipts.book()
  #expect(book.count == 2 && receipts.refused.lines == [2])
  #expect(isExpected(try book.take(Receipts.item(2))))
}

@Test func theLinesAreTheSameHoweverTheBytesCome() throws {
  let file = Array((0..<50).map { Receipts.line($0) + "\n" }.joined().utf8)
  for piece in [1, 7, 100, 4096] {
    var maker = ReceiptBookMaker { (_, _) in Issue.record("a line was refused") }
    for from in stride(from: 0, to: file.count, by: piece) {
      maker.push(file[from..<min(file.count, from + piece)])
    }
    var book = try maker.finish { (offset, count) in
      Array(file[Int(offset)..<Int(offset) + count])
    }
    #expect(book.count == 50)
    for number in 0..<50 { #expect(isExpected(try book.take(Receipts.item(number)))) }
  }
}
