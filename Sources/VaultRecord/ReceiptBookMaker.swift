public import VaultFault

/// Makes a ``ReceiptBook`` out of the lines of a file, as they come.
public struct ReceiptBookMaker {
  private var places: [Place] = []
  private var offset: UInt64 = 0
  private var line: UInt64 = 0
  private var notStored: UInt64 = 0
  private var badLines: UInt64 = 0
  private let notice: (_ line: UInt64, _ reason: String) -> Void

  /// A maker that tells `notice` which lines are no receipts, and why.
  public init(notice: @escaping (_ line: UInt64, _ reason: String) -> Void) {
    self.notice = notice
  }

  /// Takes the next line, with its line end, which the last one may lack. An empty line is none.
  public mutating func add(_ bytes: [UInt8]) {
    line += 1
    defer { offset += UInt64(bytes.count) }
    let text = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
    guard text.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return }
    do throws(Fault) { try add(Receipt(line: Array(text)), length: text.count) } catch {
      refuse(line, error.reason)
    }
  }

  /// Takes a whole file that is one receipt, on several lines perhaps; false when it is not.
  public mutating func add(whole bytes: [UInt8]) -> Bool {
    guard let receipt = try? Receipt(line: bytes) else { return false }
    line = 1
    return (try? add(receipt, length: bytes.count)) != nil
  }

  private mutating func add(_ receipt: Receipt, length: Int) throws(Fault) {
    guard receipt.status == .stored else {
      notStored += 1
      return
    }
    guard let key = receipt.item.flatMap(ItemKey.init) else {
      throw Fault(.badReceipt, "the receipt says stored and names no item")
    }
    guard let number = UInt32(exactly: line), let length = UInt32(exactly: length) else {
      throw Fault(.badReceipt, "there are too many receipts in one file")
    }
    places.append(Place(key: key, offset: offset, length: length, line: number))
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
