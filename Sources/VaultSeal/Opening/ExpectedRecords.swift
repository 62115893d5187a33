public import VaultFault
internal import VaultFrame
public import VaultRecord
internal import VaultText

/// What receipts and rows say must come (docs/DESIGN.md, what pins what).
extension Expectation {
  /// Adds whatever a receipt has of item, body, sizes, digests and envelope; throws `bad-receipt`.
  public mutating func add(_ receipt: Receipt) throws(Fault) {
    try add(
      item: receipt.item, body: receipt.body, objectBytes: receipt.objectBytes,
      sha256: receipt.sha256, sha3: receipt.sha3, .badReceipt)
  }

  /// Adds what the label of a batch says must come, and what its row does; throws `bad-row`.
  mutating func add(_ label: Label) throws(Fault) {
    if let bytes = label.bytes { dataBytes = bytes }
    if let digest = label.sha3 { sha3 = digest }
    guard let raw = label.row, let row = try? RowLine(raw), case .row(let row) = row else { return }
    try add(row)
  }

  /// Adds whatever a row has of the same, and its envelope; throws `bad-row`.
  mutating func add(_ row: Row) throws(Fault) {
    try add(
      item: row.item, body: row.body, objectBytes: row.objectBytes, sha256: row.sha256,
      sha3: row.sha3, .badRow)
    if let bytes = row.bytes { dataBytes = bytes }
    if let text = row.envelope { try add(envelope: text) }
  }

  /// Takes an envelope that stands in for the object's own slots.
  public mutating func add(envelope text: String) throws(Fault) {
    let bytes = Array(text.utf8)
    envelope = try Envelope(parsing: bytes.span)
  }

  private mutating func add(
    item id: String?, body text: String?, objectBytes size: UInt64?, sha256 digest: String?,
    sha3 data: String?, _ kind: FaultKind
  ) throws(Fault) {
    if let id { item = try require(ItemID(id), "item", kind) }
    if let text { body = try require(BodyID(text: text), "body", kind) }
    if let size { objectBytes = size }
    if let digest { sha256 = try require(bytes(hex: digest), "sha256", kind) }
    if let data { sha3 = try require(bytes(hex: data), "sha3_256", kind) }
  }

  private func require<Value>(
    _ value: Value?, _ member: String, _ kind: FaultKind
  ) throws(Fault) -> Value {
    guard let value else { throw Fault(kind, "the member \(quoted(member)) is not well formed") }
    return value
  }
}
