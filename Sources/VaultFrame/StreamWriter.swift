public import VaultFault

/// Writes a stream: prologues, frames with their indices, ends with their counts (FORMAT 2 to 4).
///
/// It walks through the reader's own grammar, so it cannot write what a reader would refuse.
public struct StreamWriter<Sink: FrameSink & ~Copyable>: ~Copyable {
  /// Where the frames go.
  public var sink: Sink
  private var grammar: ItemGrammar?
  private var tally = EndCounts()
  /// True between the begin and the end of a batch.
  public private(set) var isBatch = false

  /// A writer to `sink`.
  public init(to sink: consuming Sink) { self.sink = sink }

  /// True when the sink failed: nothing more can be written but an abort.
  public private(set) var isBroken = false
  /// True between the begin and the end of an item.
  public var isInItem: Bool { grammar != nil }

  /// Begins a batch; before the first item.
  public mutating func beginBatch() throws(Fault) {
    defer { isBatch = hasLeft }
    try write(Prologue.bytes(.begin).span, [UInt8]().span)
  }

  /// Begins an item.
  public mutating func beginItem(_ kind: StreamKind) throws(Fault) {
    tally.first += 1
    defer { if hasLeft { grammar = ItemGrammar(kind, inBatch: isBatch) } }
    try write(Prologue.bytes(kind).span, [UInt8]().span)
  }

  /// Writes one frame; its index and its flags follow from the item.
  public mutating func frame(_ type: FrameType, _ payload: Span<UInt8>) throws(Fault) {
    guard let item = grammar.take() else { throw outsideItem() }
    let header = FrameHeader(type, payloadLength: payload.count, index: item.index(of: type))
    try put(header, header.bytes.span, payload, of: item)
  }

  /// Writes one frame of data that lies in two places; the first, which is copied, is the shorter one.
  public mutating func data(_ first: Span<UInt8>, then rest: Span<UInt8>) throws(Fault) {
    guard let item = grammar.take() else { throw outsideItem() }
    let header = FrameHeader(
      .data, payloadLength: first.count + rest.count, index: item.index(of: .data))
    let head = header.bytes + first.copied()
    try put(header, head.span, rest, of: item)
  }

  /// Writes a frame whose index does not follow from the item: the tail and the chunks of a slice.
  public mutating func frame(
    _ type: FrameType, index: UInt64, _ payload: Span<UInt8>
  ) throws(Fault) {
    try frame(FrameHeader(type, payloadLength: payload.count, index: index), payload)
  }

  /// Writes a frame with a header that was read.
  public mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    guard let item = grammar.take() else { throw outsideItem() }
    try put(header, header.bytes.span, payload, of: item)
  }

  /// Ends the item well.
  public mutating func endItem() throws(Fault) {
    guard let item = grammar else { throw outsideItem() }
    try frame(.end, item.endCounts.bytes.span)
    tally.second += 1
  }

  /// Ends the item with an abort frame, if an item is open.
  public mutating func abortItem(_ origin: AbortOrigin) {
    guard grammar.take() != nil else { return }
    tally.third += 1
    writeAbort(origin)
  }

  /// Ends the batch, if this is one.
  public mutating func endBatch() throws(Fault) {
    guard isBatch else { return }
    defer { isBatch = !hasLeft }
    let payload = tally.bytes
    let header = FrameHeader(.end, payloadLength: payload.count, index: 0)
    try write((Prologue.bytes(.end) + header.bytes).span, payload.span)
  }

  /// Aborts all that is open: the item, then the batch. What has ended stays so, also when only the
  /// rest of its end frame goes out here.
  public mutating func abort(_ origin: AbortOrigin) {
    abortItem(origin)
    guard isBatch else {
      if sink.isInFrame { sink.writeAbort([UInt8]().span) }
      return
    }
    isBatch = false
    let payload = origin.payload
    let header = FrameHeader(.abort, payloadLength: payload.count, index: 0)
    sink.writeAbort((Prologue.bytes(.end) + header.bytes + payload).span)
  }

  private mutating func writeAbort(_ origin: AbortOrigin) {
    let payload = origin.payload
    let header = FrameHeader(.abort, payloadLength: payload.count, index: 0)
    sink.writeAbort((header.bytes + payload).span)
  }

  // A frame that is refused, or that never left, leaves the item open: an abort can end it.
  private mutating func put(
    _ header: FrameHeader, _ head: Span<UInt8>, _ payload: Span<UInt8>,
    of item: consuming ItemGrammar
  ) throws(Fault) {
    do throws(Fault) {
      try header.checkLimits()
      try item.accept(header)
      try item.accept(payload, of: header)
      try write(head, payload)
    } catch {
      if !item.hasEnded || !sink.isInFrame { grammar = consume item }
      throw error
    }
    if !item.hasEnded { grammar = consume item }
  }

  private mutating func write(_ head: Span<UInt8>, _ payload: Span<UInt8>) throws(Fault) {
    do throws(Fault) { try sink.write(head, payload) } catch {
      isBroken = true
      throw error
    }
  }

  // Whether what was written last is out, or begun, so that the sink will complete it.
  private var hasLeft: Bool { !isBroken || sink.isInFrame }

  private func outsideItem() -> Fault { Fault(.internalFault, "a frame outside of an item") }
}
