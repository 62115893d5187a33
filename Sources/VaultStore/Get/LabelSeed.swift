internal import VaultFault
internal import VaultFrame
internal import VaultIO
internal import VaultRecord
internal import VaultText

/// What is known of an item before its object has been read: its row, and where it is.
struct LabelSeed: Sendable {
  /// The row, where there is a good one.
  var row: Row?
  /// What stands for the row in the label: its own bytes, or the number of the line.
  var rowText: [UInt8]?
  /// Where the object is, without secrets.
  var source: String?

  /// The item that the row names, or else a new one.
  func itemOrFresh() throws(Fault) -> ItemID {
    if let item = row?.item.flatMap({ ItemID($0) }) { return item }
    guard let fresh = ItemID(random: try Entropy.bytes(16)) else {
      throw Fault(.internalFault, "cannot make an item id")
    }
    return fresh
  }

  /// The label of a sealed item or a slice: what a reader needs to compare, nothing private but in
  /// the row.
  func label(of item: ItemID, _ head: ObjectHead?) -> Label {
    var label = Label(item: item)
    label.target = row?.target.map { Array($0.utf8) }
    label.row = rowText
    label.bytes = row?.bytes
    label.sha3 = row?.sha3.flatMap { bytes(hex: $0) }
    label.source = source
    if let head {
      label.origin = Origin(etag: head.etag, version: head.versionID, bytes: head.size)
    }
    return label
  }

  /// The label of a plain item: the name and the type too, which the sealer takes away.
  func plainLabel(of item: ItemID, _ head: ObjectHead) -> Label {
    var label = label(of: item, head)
    label.description.name = row?.name.map { Array($0.utf8) }
    label.description.mediaType = row?.mediaType
    return label
  }

  /// The label of an item that is aborted before it began. A row that makes it too long is named by
  /// its line.
  func failedLabel(line: UInt64) throws(Fault) -> [UInt8] {
    let item = try itemOrFresh()
    let payload = label(of: item, nil).payload
    if payload.count <= FrameType.label.limit { return payload }
    return LabelSeed(rowText: LabelSeed.text(line: line)).label(of: item, nil).payload
  }

  /// What stands for a row that is no JSON object.
  static func text(line: UInt64) -> [UInt8] {
    var json = JSONWriter()
    json.add("line", line)
    return json.finish()
  }
}

extension Label {
  /// The payload; throws `bad-row` when it does not fit into a frame.
  func checkedPayload() throws(Fault) -> [UInt8] {
    let payload = payload
    guard payload.count <= FrameType.label.limit else {
      throw Fault(.badRow, "the row does not fit into a label")
    }
    return payload
  }
}
