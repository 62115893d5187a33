public import VaultFault
public import VaultFrame
public import VaultRecord
internal import VaultText

/// Opens items, writes no data, and says of each what was found: `vault-open --check`.
public struct CheckConsumer: ItemConsumer, ~Copyable {
  private let keys: Keyring
  private let expected: Expectations
  private let object: String?
  private let say: (Verdict, Fault?) throws(Fault) -> Void
  private var opener: Opener?
  private var item = ItemFacts()
  private var isInItem = false
  private var isInBatch = false
  // The verdict of a lone item waits until the end of the stream was seen.
  private var last: Verdict?

  /// A consumer that hands a verdict of each item to `say`, with the fault of a bad one; `object` is where
  /// they are read from, when the caller has named it.
  public init(
    _ keys: Keyring, expecting expected: Expectations, object: String? = nil,
    say: @escaping (Verdict, Fault?) throws(Fault) -> Void
  ) {
    self.keys = keys
    self.expected = expected
    self.object = object
    self.say = say
    opener = nil
  }

  /// True when a verdict could not be written.
  public private(set) var isBroken = false

  /// Remembers that verdicts of items stand for themselves.
  public mutating func batchBegan() throws(Fault) { isInBatch = true }

  /// Begins to open the next item.
  public mutating func itemBegan(_ kind: StreamKind) throws(Fault) {
    begin()
    opener = Opener(keys, expecting: expected)
  }

  private mutating func begin() {
    isInItem = true
    item = ItemFacts(object: object)
  }

  /// Opens a frame; in a batch the label says what must come.
  public mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    if header.type == .label, opener?.isTaken == false { try item.add(Label(parsing: payload)) }
    if header.type == .envelope { item.id = try Envelope(parsing: payload).item }
    try opener?.frame(header, payload)
  }

  /// Checks what only the end can tell, and says the verdict; that of a lone item is kept.
  public mutating func itemEnded(_ end: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    guard let opened = try finishedItem(end, payload) else { return }
    guard isInBatch else {
      last = item.verdict(opened, opened.callers)
      return
    }
    isInItem = false
    try tell(item.verdict(opened, opened.callers))
  }

  // What is expected of an item that fails at its end is asked for after that.
  private mutating func finishedItem(
    _ end: FrameHeader, _ payload: Span<UInt8>
  ) throws(Fault) -> OpenedItem? {
    guard let opener = opener.take() else { return nil }
    item.callers = opener.callers
    item.isTaken = opener.isTaken
    return try opener.finish(end, payload)
  }

  /// The stream was seen to its end: a lone item is whole, and its verdict is said.
  public mutating func streamEnded() throws(Fault) {
    guard let verdict = last.take() else { return }
    isInItem = false
    try tell(verdict)
  }

  /// Says the verdict of an item that failed.
  public mutating func itemFailed(_ fault: Fault) throws(Fault) {
    guard isInItem else { return }
    isInItem = false
    try tell(fault)
  }

  /// Nothing to do.
  public mutating func batchEnded() throws(Fault) {}

  /// Says the verdict of an item that was cut off, or of what was named and is no sealed object.
  public mutating func streamFailed(_ fault: Fault) {
    last = nil
    if !isInItem, object != nil, !isInBatch { begin() }
    guard isInItem, !isBroken else { return }
    isInItem = false
    do throws(Fault) { try tell(fault) } catch { isBroken = true }
  }

  private mutating func failure(_ fault: Fault) throws(Fault) -> Verdict {
    if let opener = opener.take() {
      (item.callers, item.isTaken) = (opener.callers, opener.isTaken)
    }
    let result = try result(of: fault)
    return item.verdict(fault, result, pins: expected.hasReceipts || item.callers.pins)
  }

  private mutating func tell(_ fault: Fault) throws(Fault) { try tell(failure(fault), fault) }

  // An item that an earlier stage could not give is missing, if a receipt expects it. What could not be read or
  // opened is neither right nor wrong.
  private func result(of fault: Fault) throws(Fault) -> Verdict.Result {
    if [.denied, .localIO].contains(fault.status) { return .unread }
    guard expected.hasReceipts, !item.isTaken, fault.kind != .judgedTwice else { return .wrong }
    guard let id = item.id, expected.names(id) else { return .unexpected }
    let isFirst = try expected.giveUp(id)
    return fault.kind == .aborted && isFirst ? .missing : .wrong
  }

  private mutating func tell(_ verdict: Verdict, _ fault: Fault? = nil) throws(Fault) {
    do throws(Fault) { try say(verdict, fault) } catch {
      isBroken = true
      throw error
    }
  }
}

/// What is known of the item that is being checked.
private struct ItemFacts {
  var callers = Expectation()
  var isTaken = false
  var id: ItemID?
  private var object: String?
  private var row: [UInt8]?

  init(object: String? = nil) { self.object = object }

  /// Takes what a label says of the item.
  mutating func add(_ label: Label) throws(Fault) {
    id = label.item
    object = label.source ?? object
    if let raw = label.row { row = try publicRow(raw) }
  }

  func verdict(_ opened: OpenedItem, _ expected: Expectation) -> Verdict {
    var verdict = start(
      opened.isPinned ? .verified(true) : .consistent(true),
      opened.isPinned ? .verified : .consistent)
    verdict.item = opened.envelope.item.text
    verdict.dataBytes = opened.manifest.size
    verdict.chunks = opened.chunks
    verdict.digests = opened.manifest.digests.map(\.algorithm)
    verdict.compared = expected.compared
    verdict.envelope = opened.envelopeState?.rawValue
    verdict.sha3Matches = expected.sha3 == nil ? nil : true
    verdict.dataSHA256Matches = expected.dataSHA256 == nil ? nil : true
    verdict.sourceETag = opened.manifest.origin.etag
    return verdict
  }

  func verdict(_ fault: Fault, _ result: Verdict.Result, pins: Bool) -> Verdict {
    var verdict = start(pins ? .verified(false) : .consistent(false), result)
    let origin = fault.abortOrigin(tool: "vault-open")
    verdict.error = RecordError(
      stage: origin.stage, code: UInt64(origin.exit), name: origin.name, message: fault.reason)
    return verdict
  }

  private func start(_ finding: Verdict.Finding, _ result: Verdict.Result) -> Verdict {
    var verdict = Verdict(finding, result, item: id?.text)
    verdict.object = object
    verdict.row = row
    return verdict
  }
}
