public import VaultFault
internal import VaultFrame
public import VaultRecord

/// All that the caller says must come, and what came of it: the one rule for what a run may call a
/// success (docs/SECURITY.md, what a success means).
///
/// Each expectation ends in exactly one verdict about exactly one item. One without a verdict is
/// `nothing-judged`, a second item for it is `judged-twice`, an item that nothing expects is `other-object`.
public final class Expectations {
  /// What must hold of every item.
  private(set) var common: Expectation
  /// Whether the rows of a batch are the caller's own words, and so make a verdict.
  let trustsRows: Bool
  private var receipts: ReceiptBook?
  private var isLooking = false
  /// How many items were taken up for a verdict.
  public private(set) var judged = 0

  /// Expectations of every item.
  public init(_ common: Expectation = Expectation(), trustsRows: Bool = false) {
    self.common = common
    self.trustsRows = trustsRows
  }

  /// Expectations of the objects of receipts.
  ///
  /// The item of `common`, if it has one, chooses among them; throws `usage` when none names it.
  public convenience init(
    _ common: Expectation, receipts: ReceiptBook, trustsRows: Bool
  ) throws(Fault) {
    self.init(common, trustsRows: trustsRows)
    self.receipts = receipts
    guard let item = common.item, self.receipts?.keepOnly(item.text) == false else { return }
    throw Fault(.usage, "no receipt that says stored names item \(item.text)")
  }

  /// Whether the row of an item would have pinned it, and was nobody's word.
  public internal(set) var hasUntrustedRow = false

  /// Which digests the manifests of the items to come are held against.
  public var digests: TakenDigests {
    get { common.digests }
    set { common.digests = newValue }
  }

  /// The receipts that do not say `stored`, and lines that are no receipts; nil without receipts.
  public var unused: (notStored: UInt64, badLines: UInt64)? {
    receipts.map { ($0.notStored, $0.badLines) }
  }

  /// Whether receipts say which objects must come.
  public var hasReceipts: Bool { receipts != nil }
  /// How many objects must come at the least.
  public var count: Int { receipts?.count ?? (common.item == nil ? 0 : 1) }

  /// Takes up an item for its verdict, and says what must come.
  ///
  /// Throws `other-object` for an item that nothing expects, `judged-twice` for a second one.
  func take(_ item: ItemID) throws(Fault) -> Expectation {
    var expected = try expectation(of: item)
    // A look ahead is no verdict, and of a slice: the whole object is not there.
    if isLooking { expected.sha256 = nil } else { judged += 1 }
    return expected
  }

  /// Looks ahead: what is taken up within `body` is taken up again afterwards.
  public func looking<Value>(_ body: () throws(Fault) -> Value) throws(Fault) -> Value {
    isLooking = true
    defer { isLooking = false }
    return try body()
  }

  private func expectation(of item: ItemID) throws(Fault) -> Expectation {
    switch try receipts?.take(item.text, forGood: !isLooking) {
    case nil:
      try common.compare(item)
      guard common.item == nil || judged == 0 else { throw Expectations.again(item) }
      return common
    case .expected(let receipt):
      var expected = common
      try expected.add(receipt)
      return expected
    case .again: throw Expectations.again(item)
    case .unknown:
      try common.compare(item)
      throw Fault(.otherObject, "this is item \(item.text), which no receipt names")
    }
  }

  private static func again(_ item: ItemID) -> Fault {
    Fault(.judgedTwice, "item \(item.text) has come before: one object is expected of it, not two")
  }

  /// Throws `nothing-judged` unless every expectation has had its item, and one item at least came.
  public func finish() throws(Fault) {
    var left: (count: Int, first: String) = (0, "")
    try receipts?.forEachLeft { (_, receipt) throws(Fault) in
      if left.count == 0 { left.first = receipt.item ?? "" }
      left.count += 1
    }
    if receipts == nil, let item = common.item, judged == 0 { left = (1, item.text) }
    guard left.count == 0 else {
      let others = left.count > 1 ? " and \(left.count - 1) more" : ""
      throw Fault(.nothingJudged, "no object came for item \(left.first)\(others)")
    }
    guard judged > 0 else { throw Fault(.nothingJudged, "no object came, so nothing was judged") }
  }

  /// The receipts that no object has answered, with the numbers of their lines.
  public func forEachLeft(
    _ body: (_ line: UInt64, Receipt) throws(Fault) -> Void
  ) throws(Fault) {
    try receipts?.forEachLeft(body)
  }

  /// Whether a receipt names this item.
  func names(_ item: ItemID) -> Bool { receipts?.names(item.text) ?? false }

  /// An expected item could not be had: its verdict is that. False when nothing expects it, or it was
  /// taken up before.
  func giveUp(_ item: ItemID) throws(Fault) -> Bool {
    guard case .expected = try receipts?.take(item.text) else { return false }
    judged += 1
    return true
  }
}
