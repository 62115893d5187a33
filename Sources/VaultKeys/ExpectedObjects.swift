public import VaultCLI
public import VaultFault
internal import VaultFrame
internal import VaultIO
internal import VaultRecord
public import VaultSeal

/// What `--item` and `--expect` say must come: the file of receipts is open and not yet read.
public struct ExpectedObjects {
  private let item: ItemID?
  private let receipts: ReceiptsFile?
  /// Whether `--batch` was said of a pipe: then the rows of the batch are the caller's, and there may be none.
  public let isPipedBatch: Bool

  /// Opens what the options name. Rows of a batch count only when `--batch` says so and it comes
  /// through a pipe: a file at rest may have been written by anyone.
  public static func open(_ arguments: Arguments) throws(Fault) -> ExpectedObjects {
    var receipts: ReceiptsFile?
    let readsInput = arguments.operands.isEmpty || arguments.operands.contains(where: \.isDash)
    if let path = arguments[ExpectOptions.expect] {
      guard !path.isDash || !readsInput else {
        throw Fault(.usage, "receipts and objects cannot both come from standard input")
      }
      receipts = ReceiptsFile(try openInput(path))
    }
    let isPiped = arguments.operands.allSatisfy(\.isDash) && Descriptor.standardInput().isStream
    return ExpectedObjects(
      item: arguments[ExpectOptions.item].flatMap { ItemID($0) }, receipts: receipts,
      isPipedBatch: arguments[ExpectOptions.batch] && isPiped)
  }

  /// Reads the receipts. Lines that are none are said, and do not hide the others.
  ///
  /// Throws `bad-receipt` when no receipt says `stored`, `usage` when none is of the item.
  public func read(
    adding common: Expectation = Expectation(), _ say: Diagnostics
  ) throws(Fault) -> Expectations {
    var common = common
    common.item = item
    guard let book = try receipts?.book(say) else {
      return Expectations(common, trustsRows: isPipedBatch)
    }
    return try Expectations(common, receipts: book, trustsRows: isPipedBatch)
  }

  /// The same, where one object is opened: throws `bad-receipt` when more are expected.
  public func readOne(
    adding common: Expectation = Expectation(), _ say: Diagnostics
  ) throws(Fault) -> Expectations {
    let expected = try read(adding: common, say)
    guard expected.count > 1 else { return expected }
    throw Fault(
      .badReceipt, "\(expected.count) objects are expected, and one is opened",
      hint: "choose one with --item, or open many with --check")
  }
}

/// A file of receipts, one JSON line each, or one receipt on several lines.
private final class ReceiptsFile {
  private static let longestWhole = 1 << 20
  // What cannot be read twice is kept.
  private static let mostKept = 16 << 20

  private let file: Descriptor

  init(_ file: consuming Descriptor) { self.file = file }

  func book(_ say: Diagnostics) throws(Fault) -> ReceiptBook {
    let refused = RefusedLines(file.name)
    var maker = ReceiptBookMaker { (line, reason) in refused.add(line, reason) }
    let book = try file.size == nil ? kept(&maker) : read(&maker)
    guard book.count > 0 else {
      let others = book.notStored > 0 ? ": \(book.notStored) say something else" : ""
      refused.tell(say, atMost: 1)
      throw Fault(.badReceipt, "\(file.name) has no receipt that says stored\(others)")
    }
    refused.tell(say)
    return book
  }

  private func read(_ maker: inout ReceiptBookMaker) throws(Fault) -> ReceiptBook {
    if let size = file.size, size <= UInt64(ReceiptsFile.longestWhole),
      maker.add(whole: try bytes(0, Int(size)))
    {
      return try maker.finish(read: bytes)
    }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = try file.read(into: &block), count > 0 { maker.push(block[..<count]) }
    return try maker.finish(read: bytes)
  }

  private func kept(_ maker: inout ReceiptBookMaker) throws(Fault) -> ReceiptBook {
    let all: [UInt8]
    do throws(Fault) { all = try file.readAll(limit: ReceiptsFile.mostKept) } catch {
      throw Fault(
        error.kind, error.reason,
        hint: error.kind == .tooLarge
          ? "so many receipts are read from a file that has a name" : nil)
    }
    if !maker.add(whole: all) { maker.push(all[...]) }
    return try maker.finish { (offset, count) throws(Fault) in
      Array(all[Int(offset)..<Int(offset) + count])
    }
  }

  private func bytes(_ offset: UInt64, _ count: Int) throws(Fault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let more = try file.pread(into: &bytes, from: filled, at: offset + UInt64(filled))
      guard more > 0 else { return Array(bytes[..<filled]) }
      filled += more
    }
    return bytes
  }
}

/// The lines of a file that are no receipts: the first ones are named, the others counted.
private final class RefusedLines {
  private static let mostNamed = 20

  private let name: String
  private var named: [(line: UInt64, reason: String)] = []
  private var count = 0

  init(_ name: String) { self.name = name }

  func add(_ line: UInt64, _ reason: String) {
    count += 1
    if named.count < RefusedLines.mostNamed { named.append((line, reason)) }
  }

  func tell(_ say: Diagnostics, atMost most: Int = mostNamed) {
    for (line, reason) in named.prefix(most) {
      say.error(Fault(.badReceipt, "line \(line) of \(name) is no receipt: \(reason)"))
    }
    let others = count - min(named.count, most)
    if others > 0 { say.warning("\(others) more lines of \(name) are no receipts") }
  }
}
