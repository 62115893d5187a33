public import VaultFault

/// The receipts of a file, found by their items: each stands for one object that must come.
///
/// A book keeps 41 bytes of each receipt and reads its line again when its item comes. Lines that are
/// no receipts are reported with their numbers and do not hide the others.
public struct ReceiptBook {
  /// Reads `count` bytes of the file from `offset`; the file may have become shorter.
  public typealias Reading = (_ offset: UInt64, _ count: Int) throws(Fault) -> [UInt8]

  /// What a book says of an item.
  public enum Answer {
    /// The receipt that names it; it has not been asked for before.
    case expected(Receipt)
    /// A receipt names it, and was asked for before.
    case again
    /// No receipt names it.
    case unknown
  }

  private var places: [Place]
  private var asked: [Bool]
  private let read: Reading

  /// How many objects must come.
  public var count: Int { places.count }
  /// Receipts that do not say `stored`: nothing is expected of them.
  public let notStored: UInt64
  /// Lines that are no receipts, or contradict one before them.
  public let badLines: UInt64

  /// A book of these places, sorted by item, each item once.
  init(_ places: [Place], notStored: UInt64, badLines: UInt64, read: @escaping Reading) {
    self.places = places
    self.notStored = notStored
    self.badLines = badLines
    self.read = read
    asked = [Bool](repeating: false, count: places.count)
  }

  /// The receipt of an item, each one once if it is asked for good; throws `bad-receipt` when the file has
  /// changed.
  public mutating func take(_ item: String, forGood: Bool = true) throws(Fault) -> Answer {
    guard let key = ItemKey(item), let index = index(of: key) else { return .unknown }
    guard !asked[index] else { return .again }
    if forGood { asked[index] = true }
    return .expected(try receipt(at: index))
  }

  /// Whether a receipt names this item, whatever became of it.
  public func names(_ item: String) -> Bool { ItemKey(item).flatMap(index) != nil }

  /// Keeps the receipt of one item and forgets the others; false when no receipt names it.
  public mutating func keepOnly(_ item: String) -> Bool {
    guard let key = ItemKey(item), let index = index(of: key) else { return false }
    places = [places[index]]
    asked = [false]
    return true
  }

  /// The receipts that nobody asked for, in the order of the file, with the numbers of their lines.
  public func forEachLeft(
    _ body: (_ line: UInt64, Receipt) throws(Fault) -> Void
  ) throws(Fault) {
    let left = places.indices.filter { !asked[$0] }.sorted { places[$0].line < places[$1].line }
    for index in left { try body(UInt64(places[index].line), try receipt(at: index)) }
  }

  private func index(of key: ItemKey) -> Int? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low].key == key ? low : nil
  }

  private func receipt(at index: Int) throws(Fault) -> Receipt {
    try places[index].receipt(read)
  }
}

/// Where the receipt of an item stands in its file.
struct Place {
  let key: ItemKey
  let offset: UInt64
  let length: UInt32
  let line: UInt32
  // Of the line's bytes: a receipt that is changed after it was read makes no other verdict.
  let fingerprint: Int

  func receipt(_ read: ReceiptBook.Reading) throws(Fault) -> Receipt {
    let bytes = try read(offset, Int(length))
    if Place.fingerprint(bytes[...]) == fingerprint { return try Receipt(line: bytes) }
    throw Fault(.badReceipt, "line \(line) of the receipts has changed while they were used")
  }
}

extension Place {
  /// Eight bytes that nobody outside this process can foresee (SipHash under a key of its own).
  static func fingerprint(_ line: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    unsafe line.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}

/// The 16 bytes of an item id, to be sorted by.
struct ItemKey: Comparable {
  private let high: UInt64
  private let low: UInt64

  /// Reads 36 lower-case characters.
  init?(_ text: String) {
    guard isItemID(text) else { return nil }
    let digits = String(decoding: text.utf8.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
    guard let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    (self.high, self.low) = (high, low)
  }

  static func < (left: ItemKey, right: ItemKey) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}
