internal import VaultDigest
internal import VaultFault
internal import VaultFrame
internal import VaultIO
internal import VaultText

/// The reader's side of the engine: takes the frames of the stream, one item after the other.
struct PutConsumer: ItemConsumer, ~Copyable {
  private let engine: PutEngine
  private var order = 0
  private var intake: ItemIntake?
  private var label: Label?
  private var isNamed = false
  // The first part waits until it is known whether there is a second one, and with very small parts
  // those after it until the envelope has come, which names the object.
  private var held: [PartData] = []
  private var hasUpload = false
  private var isBatch = false
  private var lastEnding: Ending?

  init(_ engine: PutEngine) { self.engine = engine }

  var isBroken: Bool { engine.refusesAll }

  mutating func batchBegan() throws(Fault) {
    isBatch = true
    engine.floor.withLock { $0.isBatch = true }
  }

  mutating func itemBegan(_ kind: StreamKind) throws(Fault) {
    order += 1
    (label, isNamed, held, hasUpload, lastEnding) = (nil, false, [], false, nil)
    try engine.open(order)
    let (engine, order) = (engine, order)
    intake = try ItemIntake(
      engine.budget, temporary: engine.settings.temporary,
      takingPartDigests: engine.store.needsPartDigests
    ) { () throws(Fault) in try engine.awaitMemory(order) }
  }

  mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    try engine.check(order)
    switch header.type {
    case .label: try readLabel(payload)
    case .data: try data(payload)
    case .part: try part(payload)
    case .summary: try intake?.summary(payload)
    default: break
    }
  }

  private mutating func readLabel(_ payload: Span<UInt8>) throws(Fault) {
    let label = try Label(parsing: payload)
    self.label = label
    try engine.note(order, label)
  }

  private mutating func data(_ payload: Span<UInt8>) throws(Fault) {
    if isNamed { try release() }
    try intake?.data(payload)
    engine.floor.withLock { $0.counts.received += UInt64(payload.count) }
    if !isNamed, let facts = intake?.facts {
      isNamed = true
      try engine.name(order, facts, label)
    }
  }

  private mutating func part(_ payload: Span<UInt8>) throws(Fault) {
    guard let part = try intake?.part(payload) else { return }
    if hasUpload { try engine.put(part, order) } else { held.append(part) }
  }

  // A second part comes, or has come.
  private mutating func release() throws(Fault) {
    guard !hasUpload, !held.isEmpty else { return }
    hasUpload = true
    try engine.begin(order)
    for part in held { try engine.put(part, order) }
    held = []
  }

  mutating func itemEnded(_ end: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    try engine.check(order)
    guard var ending = try intake?.finish() else { return }
    intake = nil
    // The label's slots are on record since the first byte was sent: the receipt has the same.
    if ending.facts.isDetached, ending.summary.envelope != label?.envelope {
      throw Fault(.otherObject, "the summary has another envelope than the label")
    }
    if held.count > 1 { try release() }
    ending.whole = held.first
    held = []
    if isBatch {
      try engine.end(order, ending)
    } else {
      lastEnding = ending
    }
  }

  // The end of the input was seen: the lone item is complete.
  mutating func streamEnded() {
    guard let ending = lastEnding.take() else { return }
    do throws(Fault) { try engine.end(order, ending) } catch { engine.fail(order, error) }
  }

  mutating func itemFailed(_ fault: Fault) throws(Fault) {
    intake = nil
    held = []
    engine.fail(order, fault)
  }

  mutating func batchEnded() throws(Fault) {}

  // An item of a batch that has ended before is whole, and stays.
  mutating func streamFailed(_ fault: Fault) {
    guard intake != nil || lastEnding != nil else { return }
    intake = nil
    held = []
    lastEnding = nil
    engine.fail(order, fault)
  }
}
