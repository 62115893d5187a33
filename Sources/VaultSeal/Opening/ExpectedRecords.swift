public import VaultFault
internal import VaultFrame
internal import VaultRecord
internal import VaultText

/// What receipts and rows say must come (docs/DESIGN.md, what pins what).
extension Expectation {
  /// Adds whatever a receipt has of what its object shows; throws `bad-receipt`, for one that does not say
  /// `stored` and one whose members contradict each other too.
  mutating func add(_ receipt: Receipt) throws(Fault) {
    guard receipt.status == .stored else {
      throw Fault(.badReceipt, "the receipt says \(receipt.status.rawValue), not stored")
    }
    try add(
      item: receipt.item, body: receipt.body, objectBytes: receipt.objectBytes,
      sha256: receipt.sha256, sha3: receipt.sha3, .badReceipt)
    try add(dataSHA256: receipt.dataSHA256, .badReceipt)
    dataBytes = try agreed(dataBytes, receipt.dataBytes, "size")
    (name, mediaType) = (receipt.name, receipt.mediaType)
    try add(partsOf: receipt)
    guard let text = receipt.envelope else { return }
    let found = try recorded(text, of: receipt)
    (recorded, body) = (found, found.body)
  }

  private func recorded(_ text: String, of receipt: Receipt) throws(Fault) -> Envelope {
    let bytes = Array(text.utf8)
    let found: Envelope
    do throws(Fault) {
      found = try Envelope(parsing: bytes.span)
      try found.verifyCheck()
    } catch { throw Fault(.badReceipt, "the receipt's envelope: \(error.reason)") }
    guard found.item.text == receipt.item ?? found.item.text,
      found.body.text == receipt.body ?? found.body.text
    else { throw Fault(.badReceipt, "the receipt's envelope is not that of its item and body") }
    return found
  }

  // What S3 calls composite ends with the number of parts.
  private mutating func add(partsOf receipt: Receipt) throws(Fault) {
    parts = receipt.parts
    guard let composite = receipt.partsSHA256 else { return }
    guard let parts, composite.utf8.count == 45 + String(parts).utf8.count,
      composite.hasSuffix("-\(parts)")
    else { throw Fault(.badReceipt, "the receipt's parts_sha256 is not of its parts") }
  }

  /// Adds what the label of an item says must come, and its row, and the envelope of either.
  ///
  /// What the caller said stands: whoever makes a stream makes its labels, so a label can only add
  /// to it. Throws `other-object` where the two differ, `bad-row`.
  mutating func add(_ label: Label) throws(Fault) {
    if let raw = label.row, case .row(let row) = try RowLine(raw, isFetched: false) {
      try add(row)
    }
    dataBytes = try agreed(dataBytes, label.bytes, "size")
    sha3 = try agreed(sha3, label.sha3, "SHA3-256")
    if envelope == nil, let text = label.envelope { envelope = try Envelope(parsing: text.span) }
  }

  /// Takes an envelope that stands in for the object's own slots.
  public mutating func add(envelope text: String) throws(Fault) {
    let bytes = Array(text.utf8)
    envelope = try Envelope(parsing: bytes.span)
  }

  private mutating func add(_ row: Row) throws(Fault) {
    try add(
      item: row.item, body: row.body, objectBytes: row.objectBytes, sha256: row.sha256,
      sha3: row.sha3, .badRow)
    try add(dataSHA256: row.dataSHA256, .badRow)
    dataBytes = try agreed(dataBytes, row.bytes, "size")
    dataBytes = try agreed(dataBytes, row.dataBytes, "size")
    if let status = row.status { isStored = status == Receipt.Status.stored.rawValue }
    if envelope == nil, let text = row.envelope { try add(envelope: text) }
  }

  private mutating func add(
    item id: String?, body text: String?, objectBytes size: UInt64?, sha256 digest: String?,
    sha3 data: String?, _ kind: FaultKind
  ) throws(Fault) {
    item = try agreed(item, required(id, "item", kind) { ItemID($0) }, "item")
    body = try agreed(body, required(text, "body", kind) { BodyID(text: $0) }, "body")
    objectBytes = try agreed(objectBytes, size, "object size")
    sha256 = try agreed(sha256, required(digest, "sha256", kind, bytes(hex:)), "SHA-256")
    sha3 = try agreed(sha3, required(data, "sha3_256", kind, bytes(hex:)), "SHA3-256")
  }

  private mutating func add(dataSHA256 digest: String?, _ kind: FaultKind) throws(Fault) {
    let new = try required(digest, "data_sha256", kind, bytes(hex:))
    dataSHA256 = try agreed(dataSHA256, new, "SHA-256 of the data")
  }

  private func agreed<Value: Equatable>(
    _ old: Value?, _ new: Value?, _ what: String
  ) throws(Fault) -> Value? {
    guard let old, let new, old != new else { return old ?? new }
    throw Fault(.otherObject, "the label or its row names another \(what) than the one expected")
  }

  private func required<Value>(
    _ text: String?, _ member: String, _ kind: FaultKind, _ read: (String) -> Value?
  ) throws(Fault) -> Value? {
    guard let text else { return nil }
    guard let value = read(text) else {
      throw Fault(kind, "the member \(quoted(member)) is not well formed")
    }
    return value
  }
}
