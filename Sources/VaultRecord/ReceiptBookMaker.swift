public import VaultFault

/// Makes a ``ReceiptBook`` out of the bytes of a file, as they come.
public struct ReceiptBookMaker {
  private static let longestLine = 1 << 20

  private var places: [Place] = []
  private var pending: [UInt8] = []
  // Bytes of the line that has begun, also those that were too many to keep.
  private var length: UInt64 = 0
  private var offset: UInt64 = 0
  private var line: UInt64 = 1
  private var notStored: UInt64 = 0
  private var badLines: UInt64 = 0
  private let notice: (_ line: UInt64, _ reason: String) -> Void

  /// A maker that tells `notice` which lines are no receipts, and why.
  public init(notice: @escaping (_ line: UInt64, _ reason: String) -> Void) {
    self.notice = notice
  }

  /// Takes the next bytes. An empty line is none; the last one may lack its line end.
  public mutating func push(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while let end = rest.firstIndex(of: 0x0A) {
      keep(rest[..<end])
      endLine()
      rest = rest[(end + 1)...]
    }
    keep(rest)
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    length += UInt64(bytes.count)
    if length <= UInt64(Self.longestLine) { pending += bytes }
  }

  private mutating func endLine() {
    if length > UInt64(Self.longestLine) {
      refuse(line, "it has more than 1 MiB")
    } else if pending.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) {
      do throws(Fault) { try add(Receipt(line: pending)) } catch { refuse(line, error.reason) }
    }
    offset += length + 1
    line += 1
    (pending, length) = ([], 0)
  }

  /// Takes a whole file that is one receipt, on several lines perhaps; false when it is not, and then
  /// nothing was taken.
  public mutating func add(whole bytes: [UInt8]) -> Bool {
    let blanks: [UInt8] = [0x20, 0x09, 0x0D, 0x0A]
    let start = bytes.firstIndex { !blanks.contains($0) } ?? 0
    let end = bytes.lastIndex { !blanks.contains($0) }.map { $0 + 1 } ?? 0
    guard start < end, let receipt = try? Receipt(line: Array(bytes[start..<end])) else {
      return false
    }
    var whole = self
    whole.offset = UInt64(start)
    whole.line = UInt64(bytes[..<start].count { $0 == 0x0A }) + 1
    whole.pending = Array(bytes[start..<end])
    guard (try? whole.add(receipt)) != nil else { return false }
    self = whole
    pending = []
    return true
  }

  private mutating func add(_ receipt: Receipt) throws(Fault) {
    guard receipt.status == .stored else {
      notStored += 1
      return
    }
    guard let key = receipt.item.flatMap(ItemKey.init) else {
      throw Fault(.badReceipt, "the receipt says stored and names no item")
    }
    guard let number = UInt32(exactly: line) else {
      throw Fault(.badReceipt, "there are too many receipts in one file")
    }
    places.append(
      Place(
        key: key, offset: offset, length: UInt32(pending.count), line: number,
        fingerprint: Place.fingerprint(pending[...])))
  }

  private mutating func refuse(_ line: UInt64, _ reason: String) {
    badLines += 1
    notice(line, reason)
  }

  /// The book; `read` gives bytes of the same file again.
  ///
  /// Of two receipts of one object the later one counts, since a rewrap makes a new receipt. One that
  /// contradicts an earlier one is a bad line. Throws what `read` throws, and `bad-receipt`.
  public consuming func finish(
    read: @escaping ReceiptBook.Reading
  ) throws(Fault) -> ReceiptBook {
    if length > 0 { endLine() }
    places.sort { $0.key == $1.key ? $0.line < $1.line : $0.key < $1.key }
    var kept: [Place] = []
    kept.reserveCapacity(places.count)
    for place in places {
      guard let last = kept.last, last.key == place.key else {
        kept.append(place)
        continue
      }
      if try place.receipt(read).isOfSameObject(as: last.receipt(read)) {
        kept[kept.count - 1] = place
      } else {
        refuse(UInt64(place.line), "the receipt contradicts that of line \(last.line)")
      }
    }
    return ReceiptBook(kept, notStored: notStored, badLines: badLines, read: read)
  }
}

extension Receipt {
  /// Whether two receipts say the same of the bytes of one object; where it lies, and its envelope,
  /// may differ.
  func isOfSameObject(as other: Receipt) -> Bool {
    item == other.item && body == other.body && sha256 == other.sha256
      && objectBytes == other.objectBytes && dataBytes == other.dataBytes
      && sha3 == other.sha3 && dataSHA256 == other.dataSHA256
  }
}
