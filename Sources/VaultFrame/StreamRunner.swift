public import VaultFault

/// What a tool does with the items of a stream.
///
/// A fault thrown by ``frame(_:_:)`` or ``itemEnded(_:_:)`` ends that item; in a batch the runner passes
/// over the rest of it and goes on with the next, unless ``isBroken`` says that nothing can go on.
public protocol ItemConsumer: ~Copyable {
  /// A batch begins.
  mutating func batchBegan() throws(Fault)
  /// An item begins.
  mutating func itemBegan(_ kind: StreamKind) throws(Fault)
  /// The header of a frame has come and its payload not yet: a last chance to refuse it before that
  /// is read. May come several times for a frame, or not at all.
  mutating func headerCame(_ header: FrameHeader) throws(Fault)
  /// A frame of the item, other than its last; the payload is good for this call only.
  mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault)
  /// The item's end frame has come, and it counts what has come.
  mutating func itemEnded(_ end: FrameHeader, _ payload: Span<UInt8>) throws(Fault)
  /// The item failed, here or upstream: undo what was begun for it.
  mutating func itemFailed(_ fault: Fault) throws(Fault)
  /// The batch has ended, and counts what has come.
  mutating func batchEnded() throws(Fault)
  /// The input was seen to its end and is complete: what ends well for good ends here, since bytes may
  /// follow an end frame.
  mutating func streamEnded() throws(Fault)
  /// Nothing more can come or go: undo all that is open.
  mutating func streamFailed(_ fault: Fault)
  /// True when no further item can be worked on (the output is broken, a signal came).
  var isBroken: Bool { get }
}

extension ItemConsumer where Self: ~Copyable {
  /// Refuses nothing.
  public mutating func headerCame(_ header: FrameHeader) throws(Fault) {}
  /// Nothing to end.
  public mutating func streamEnded() throws(Fault) {}
}

/// Drives a consumer through a stream, and keeps the first fault: in a batch that of the first bad
/// item, which is the exit status of the tool.
public struct StreamRunner<Consumer: ItemConsumer & ~Copyable>: ~Copyable {
  /// The consumer.
  public var consumer: Consumer
  private var reader: StreamReader
  private var isPassingOver = false

  /// The fault of the first bad item.
  public private(set) var firstFault: Fault?

  /// Runs `consumer` over streams whose items are of one of these kinds.
  public init(
    _ consumer: consuming Consumer, accepting kinds: [StreamKind], batches: BatchRule = .taken
  ) {
    self.consumer = consumer
    reader = StreamReader(accepting: kinds, batches: batches)
  }

  /// Reads with `body` (see ``StreamReader/fill(_:)``) and works on what came; false at the end.
  public mutating func step(
    _ body: (UnsafeMutableRawBufferPointer) throws(Fault) -> Int
  ) throws(Fault) -> Bool {
    do throws(Fault) {
      let count = try unsafe reader.fill(body)
      try work()
      return count > 0
    } catch { throw fail(error) }
  }

  /// Works on bytes that are at hand already.
  public mutating func push(_ bytes: Span<UInt8>) throws(Fault) {
    do throws(Fault) {
      var from = 0
      while from < bytes.count {
        from += reader.push(bytes.extracting(from..<bytes.count))
        try work()
      }
    } catch { throw fail(error) }
  }

  /// Says that no more bytes come; throws the fault of the stream, or else of its first bad item. `check`
  /// is asked when all has come, before anything ends well for good.
  public mutating func finish(_ check: () throws(Fault) -> Void = {}) throws(Fault) {
    do throws(Fault) {
      try work()
      try reader.finish()
      try check()
      try consumer.streamEnded()
    } catch { throw fail(error) }
    if let firstFault { throw firstFault }
  }

  private mutating func fail(_ fault: Fault) -> Fault {
    if !reader.isBatch, let firstFault { return firstFault }
    consumer.streamFailed(fault)
    if firstFault == nil { firstFault = fault }
    return consumer.isBroken ? fault : firstFault ?? fault
  }

  private mutating func work() throws(Fault) {
    while let event = try reader.next() {
      switch event {
      case .batchBegan: try consumer.batchBegan()
      case .itemBegan(let kind):
        isPassingOver = false
        try attempt { (consumer, _) throws(Fault) in try consumer.itemBegan(kind) }
      case .frame(let header):
        try attempt { (consumer, payload) throws(Fault) in try consumer.frame(header, payload) }
      case .itemEnded(let end):
        try attempt { (consumer, payload) throws(Fault) in try consumer.itemEnded(end, payload) }
      case .itemAborted: try aborted(AbortOrigin(parsing: reader.payload))
      case .batchEnded: try consumer.batchEnded()
      case .batchAborted: throw Fault(abortedBy: try AbortOrigin(parsing: reader.payload))
      }
    }
    guard let header = reader.pending else { return }
    try attempt { (consumer, _) throws(Fault) in try consumer.headerCame(header) }
  }

  private mutating func attempt(
    _ body: (inout Consumer, Span<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    guard !isPassingOver else { return }
    do throws(Fault) { try Self.call(body, &consumer, reader) } catch {
      if consumer.isBroken { throw error }
      try failItem(error)
    }
  }

  private static func call(
    _ body: (inout Consumer, Span<UInt8>) throws(Fault) -> Void, _ consumer: inout Consumer,
    _ reader: borrowing StreamReader
  ) throws(Fault) {
    try body(&consumer, reader.payload)
  }

  private mutating func aborted(_ origin: AbortOrigin) throws(Fault) {
    guard !isPassingOver else { return }
    try failItem(Fault(abortedBy: origin))
  }

  // A lone item that failed is the end: what else comes in is of no use, and reading it would only
  // keep its producer at work.
  private mutating func failItem(_ fault: Fault) throws(Fault) {
    isPassingOver = true
    if firstFault == nil { firstFault = fault }
    try consumer.itemFailed(fault)
    if !reader.isBatch { throw fault }
  }
}
