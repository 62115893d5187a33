public import VaultFault
public import VaultFrame
public import VaultRecord
internal import VaultText

/// Opens items, writes no data, and says of each what was found: `vault-open --check`.
public struct CheckConsumer: ItemConsumer, ~Copyable {
  private let keys: Keyring
  private let expected: Expectation
  private let say: (Verdict) throws(Fault) -> Void
  private var opener: Opener?
  private var item = ItemFacts()
  private var isInItem = false
  private var isInBatch = false
  // The verdict of a lone item waits until the end of the stream was seen.
  private var last: Verdict?

  /// A consumer that hands a verdict of each item to `say`.
  public init(
    _ keys: Keyring, expecting expected: Expectation,
    say: @escaping (Verdict) throws(Fault) -> Void
  ) {
    self.keys = keys
    self.expected = expected
    self.say = say
    opener = nil
  }

  /// True when a verdict could not be written.
  public private(set) var isBroken = false

  /// Remembers that verdicts of items stand for themselves.
  public mutating func batchBegan() throws(Fault) { isInBatch = true }

  /// Begins to open the next item.
  public mutating func itemBegan(_ kind: StreamKind) throws(Fault) {
    isInItem = true
    item = ItemFacts(expected: expected)
    opener = nil
  }

  /// Opens a frame; in a batch the label says what must come.
  public mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    if header.type == .label, opener == nil { try item.add(Label(parsing: payload)) }
    if header.type == .envelope { item.id = try Envelope(parsing: payload).item }
    if opener == nil { opener = try Opener(keys, expecting: item.expected) }
    try opener?.frame(header, payload)
  }

  /// Checks what only the end can tell, and says the verdict; that of a lone item is kept.
  public mutating func itemEnded(_ end: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    guard let opened = try opener.take()?.finish(end, payload) else { return }
    guard isInBatch else {
      last = item.verdict(opened)
      return
    }
    isInItem = false
    try tell(item.verdict(opened))
  }

  /// The stream was seen to its end: a lone item is whole, and its verdict is said.
  public mutating func streamEnded() throws(Fault) {
    guard let verdict = last.take() else { return }
    isInItem = false
    try tell(verdict)
  }

  /// Says the verdict of an item that failed.
  public mutating func itemFailed(_ fault: Fault) throws(Fault) {
    opener = nil
    guard isInItem else { return }
    isInItem = false
    try tell(item.verdict(fault))
  }

  /// Nothing to do.
  public mutating func batchEnded() throws(Fault) {}

  /// Says the verdict of an item that was cut off.
  public mutating func streamFailed(_ fault: Fault) {
    opener = nil
    last = nil
    guard isInItem, !isBroken else { return }
    isInItem = false
    do throws(Fault) { try tell(item.verdict(fault)) } catch { isBroken = true }
  }

  private mutating func tell(_ verdict: Verdict) throws(Fault) {
    do throws(Fault) { try say(verdict) } catch {
      isBroken = true
      throw error
    }
  }
}

/// What is known of the item that is being checked.
private struct ItemFacts {
  var expected = Expectation()
  var id: ItemID?
  private var source: String?
  private var row: [UInt8]?

  init() {}

  init(expected: Expectation) {
    self.expected = expected
    id = expected.item
  }

  /// Takes what a label says of the item, and what its row says must come.
  mutating func add(_ label: Label) throws(Fault) {
    id = label.item
    source = label.source
    if let raw = label.row { row = try publicRow(raw) }
    try expected.add(label)
  }

  func verdict(_ opened: OpenedItem) -> Verdict {
    var verdict = start(opened.isPinned ? .verified(true) : .consistent(true))
    verdict.item = opened.envelope.item.text
    verdict.dataBytes = opened.manifest.size
    verdict.chunks = opened.chunks
    verdict.digests = opened.manifest.digests.map(\.algorithm)
    verdict.sha3Matches = expected.sha3 == nil ? nil : true
    verdict.dataSHA256Matches = expected.dataSHA256 == nil ? nil : true
    verdict.sourceETag = opened.manifest.origin.etag
    return verdict
  }

  func verdict(_ fault: Fault) -> Verdict {
    var verdict = start(expected.pins ? .verified(false) : .consistent(false))
    let origin = fault.abortOrigin(tool: "vault-open")
    verdict.error = RecordError(
      stage: origin.stage, code: UInt64(origin.exit), name: origin.name, message: fault.reason)
    return verdict
  }

  private func start(_ finding: Verdict.Finding) -> Verdict {
    var verdict = Verdict(finding, item: id?.text)
    verdict.object = source
    verdict.row = row
    return verdict
  }
}
