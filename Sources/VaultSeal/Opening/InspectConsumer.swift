public import VaultFault
public import VaultFrame
internal import VaultRecord
internal import VaultText

/// Says of each item what can be seen without a key: `vault-open --inspect`. Nothing of it is
/// authenticated.
public struct InspectConsumer: ItemConsumer, ~Copyable {
  private let object: String?
  private let say: ([UInt8]) throws(Fault) -> Void
  private var item: Inspection?

  /// A consumer that hands one JSON object for each item to `say`, without the line end; `object` is
  /// where they are read from, when the caller has named it.
  public init(object: String? = nil, say: @escaping ([UInt8]) throws(Fault) -> Void) {
    self.object = object
    self.say = say
  }

  /// True when a line could not be written.
  public private(set) var isBroken = false
  /// How many items were looked at.
  public private(set) var count = 0

  /// Nothing to do.
  public mutating func batchBegan() throws(Fault) {}
  /// Begins to look at the next item.
  public mutating func itemBegan(_ kind: StreamKind) throws(Fault) {
    item = Inspection(kind, object)
    count += 1
  }

  /// Looks at a frame.
  public mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    try item?.add(header, payload)
  }

  /// The structure is complete.
  public mutating func itemEnded(_ end: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    try item?.add(end, payload)
    try tell(nil)
  }

  /// The structure is not complete, or damaged.
  public mutating func itemFailed(_ fault: Fault) throws(Fault) { try tell(fault) }
  /// Nothing to do.
  public mutating func batchEnded() throws(Fault) {}

  /// The stream was cut or is damaged.
  public mutating func streamFailed(_ fault: Fault) {
    guard !isBroken else { return }
    do throws(Fault) { try tell(fault) } catch { isBroken = true }
  }

  private mutating func tell(_ fault: Fault?) throws(Fault) {
    guard let item else { return }
    self.item = nil
    do throws(Fault) { try say(item.line(fault)) } catch {
      isBroken = true
      throw error
    }
  }
}

/// What was seen of one item.
private struct Inspection {
  private let kind: StreamKind
  private var expected = Expectation()
  private var source: String?
  private var row: [UInt8]?
  private var envelope: Envelope?
  private var objectBytes: UInt64
  private var end: EndCounts?

  init(_ kind: StreamKind, _ object: String?) {
    self.kind = kind
    source = object
    objectBytes = kind == .slice ? 0 : UInt64(Prologue.length)
  }

  mutating func add(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    count(header, payload)
    switch header.type {
    case .label where envelope == nil: try add(Label(parsing: payload))
    case .envelope:
      let found = try Envelope(parsing: payload)
      envelope = found
      try found.verifyCheck()
      try expected.compare(found)
    case .chunks where header.index == 0 && kind == .sealed: try envelope?.requireHead(of: payload)
    case .tail: try envelope?.requireHead(of: payload)
    case .end:
      end = EndCounts(parsing: payload)
      if kind == .slice { objectBytes += EndCounts(parsing: payload).third }
      try expected.compare(objectBytes: objectBytes)
    default: break
    }
  }

  // A slice has the object's end; what is before the manifest is known from its place.
  private mutating func count(_ header: FrameHeader, _ payload: Span<UInt8>) {
    let isKept = kind == .sealed || header.type == .manifest || header.type == .end
    guard isKept, !header.isTransient else { return }
    objectBytes += UInt64(FrameHeader.length + payload.count)
  }

  private mutating func add(_ label: Label) throws(Fault) {
    source = label.source ?? source
    if let raw = label.row { row = try publicRow(raw) }
    try expected.add(label)
  }

  func line(_ fault: Fault?) -> [UInt8] {
    var json = JSONWriter()
    json.add("inspect", "vault/1")
    json.add("item", envelope?.item.text)
    json.add("object", source)
    json.add("object_bytes", envelope == nil || (kind == .slice && end == nil) ? nil : objectBytes)
    json.add("data_bytes", end?.first)
    json.add("chunks", end.map { BodyLayout.chunks(dataBytes: $0.first) })
    json.add("detached", envelope?.isDetached)
    json.add("slots", raw: envelope.map { slots($0) })
    json.add("complete", fault == nil)
    json.add("authenticated", false)
    if let fault {
      let origin = fault.abortOrigin(tool: "vault-open")
      json.add(
        "error",
        raw: RecordError(
          stage: origin.stage, code: UInt64(origin.exit), name: origin.name,
          message: fault.reason
        ).json)
    }
    json.add("row", raw: row)
    return json.finish()
  }

  private func slots(_ envelope: Envelope) -> [UInt8] {
    let objects = envelope.slots.map { slot -> [UInt8] in
      var json = JSONWriter()
      json.add("kind", slot.kind)
      if slot.isKnown { json.add("id", hex(slot.id)) }
      return json.finish()
    }
    return Array("[".utf8) + objects.joined(separator: [0x2C]) + Array("]".utf8)
  }
}
