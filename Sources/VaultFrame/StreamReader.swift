public import VaultFault

/// What a stream says next.
public enum StreamEvent: Equatable, Sendable {
  /// The begin of a batch.
  case batchBegan
  /// A prologue: an item of this kind begins.
  case itemBegan(StreamKind)
  /// A frame of the item, other than its last; its payload is ``StreamReader/payload``.
  case frame(FrameHeader)
  /// The item's end frame, and it counts what has come.
  case itemEnded(FrameHeader)
  /// The item's abort frame.
  case itemAborted(FrameHeader)
  /// The end of a batch, and it counts what has come.
  case batchEnded
  /// The abort of a batch.
  case batchAborted(FrameHeader)
}

/// Whether a stream may be a batch. An object at rest never is one (FORMAT 4.1).
public enum BatchRule: Sendable {
  /// It may.
  case taken
  /// It may not: `wrong-kind`, with this hint.
  case refused(hint: String?)
}

/// Parses a stream in place and checks everything that can be checked without a key: prologues,
/// headers, limits, order, indices, counts, the end (FORMAT 2 to 5).
///
/// Bytes go in with ``fill(_:)`` or ``push(_:)``, events come out of ``next()`` until it returns nil,
/// and ``finish()`` says whether the stream was complete. After a fault the reader is of no more use.
public struct StreamReader: ~Copyable {
  private static let capacity = 5 << 19
  private static let readBytes = (1 << 20) + lookAhead
  private static let lookAhead = 4096
  private static let longFrame = 1 << 16

  private var queue = ByteQueue(capacity: capacity)
  private let accepted: [StreamKind]
  private let batches: BatchRule
  private var grammar: ItemGrammar?
  /// The header of the frame whose payload has not come whole; it stands where it may.
  public private(set) var pending: FrameHeader?
  private var used = 0
  private var passed = 0
  private var payloadRange = 0..<0
  private var tally = EndCounts()
  private var state = State.begin
  private var batchKind: StreamKind?

  private enum State { case begin, batch, single, done }

  /// A reader of streams whose items are of one of these kinds, in batches where these are taken.
  public init(accepting kinds: [StreamKind], batches: BatchRule = .taken) {
    accepted = kinds
    self.batches = batches
  }

  /// True between the begin and the end of a batch, and after it.
  public private(set) var isBatch = false
  /// True when the stream has ended well.
  public var isComplete: Bool { state == .done }
  /// The payload of the frame that ``next()`` returned last.
  public var payload: Span<UInt8> {
    @_lifetime(borrow self)
    get { queue.bytes.extracting(payloadRange) }
  }

  /// Lets `body` read into the reader's own memory; it returns how many bytes it read, 0 at the end.
  public mutating func fill(
    _ body: (UnsafeMutableRawBufferPointer) throws(Fault) -> Int
  ) throws(Fault) -> Int {
    release()
    return try unsafe queue.fill(atMost: wanted, body)
  }

  // What lies behind a long frame would have to be moved to the front of the queue before the next
  // one has room: so little more is read than the rest of it.
  private var wanted: Int {
    guard let pending, pending.payloadLength > StreamReader.longFrame else {
      return StreamReader.readBytes
    }
    return missing + StreamReader.lookAhead
  }

  /// Takes as many of `bytes` as there is room for, and returns how many that were.
  public mutating func push(_ bytes: Span<UInt8>) -> Int {
    release()
    return queue.append(bytes)
  }

  /// Takes bytes as ``push(_:)`` does, one step at a time, but keeps of a frame of chunks only the first
  /// `kept` bytes of its payload: that is then its ``payload``.
  ///
  /// For who needs the layout of the bytes and has no use for the chunks. Asks for a ``next()`` that
  /// returned nil before each call.
  public mutating func push(_ bytes: Span<UInt8>, keeping kept: Int) -> Int {
    release()
    let step = min(bytes.count, missing)
    guard pending?.type == .chunks else { return queue.append(bytes.extracting(0..<step)) }
    let room = kept + FrameHeader.length - queue.count
    if room > 0 { return queue.append(bytes.extracting(0..<min(step, room))) }
    passed += step
    return step
  }

  // How many bytes the next step needs: a prologue, a header, or the rest of a payload.
  private var missing: Int {
    guard grammar != nil else { return max(1, Prologue.length - queue.count) }
    guard let pending else { return max(1, FrameHeader.length - queue.count) }
    return FrameHeader.length + pending.payloadLength - passed - queue.count
  }

  /// The next event, or nil when more bytes are needed.
  public mutating func next() throws(Fault) -> StreamEvent? {
    release()
    guard let item = grammar.take() else { return try nextPrologue() }
    return try nextFrame(of: item)
  }

  /// Says that no more bytes come: throws `incomplete` unless the stream has ended.
  public mutating func finish() throws(Fault) {
    guard try next() == nil else { return }
    if state == .done { return }
    guard state != .begin || queue.count > 0 else {
      throw Fault(.incomplete, "the input is empty")
    }
    if state == .begin, queue.count < Prologue.length { try refuseShortInput() }
    throw Fault(.incomplete, "the input ended before its end frame")
  }

  private mutating func release() {
    queue.drop(used)
    used = 0
    payloadRange = 0..<0
  }

  private mutating func nextPrologue() throws(Fault) -> StreamEvent? {
    guard state != .done || queue.count == 0 else {
      throw Fault(.trailingBytes, "bytes follow the end of the stream")
    }
    guard queue.count >= Prologue.length else { return nil }
    let kind = try Prologue.kind(in: queue.bytes.extracting(0..<Prologue.length))
    used = Prologue.length
    return try begin(kind)
  }

  private mutating func begin(_ kind: StreamKind) throws(Fault) -> StreamEvent? {
    switch (state, kind) {
    case (.begin, .begin):
      try requireBatch()
      (state, isBatch) = (.batch, true)
      return .batchBegan
    case (.batch, .end):
      grammar = ItemGrammar(.end, inBatch: true)
      return try next()
    case (.begin, _), (.batch, _):
      try require(kind)
      if state == .begin { state = .single }
      tally.first += 1
      grammar = ItemGrammar(kind, inBatch: isBatch)
      return .itemBegan(kind)
    default: throw Fault(.trailingBytes, "bytes follow the end of the stream")
    }
  }

  private func requireBatch() throws(Fault) {
    guard case .refused(let hint) = batches else { return }
    let wanted = accepted.map(\.word).joined(separator: " or ")
    throw Fault(
      .wrongKind, "this is a batch, and one \(wanted) item is wanted here", hint: hint)
  }

  private mutating func require(_ kind: StreamKind) throws(Fault) {
    guard accepted.contains(kind), kind == batchKind ?? kind else {
      let wanted = (batchKind.map { [$0] } ?? accepted).map(\.word).joined(separator: " or ")
      throw Fault(
        .wrongKind, "this is a \(kind.word) stream, a \(wanted) stream is wanted here",
        hint: kind == .slice ? "vault-open --range opens a slice" : nil)
    }
    if isBatch { batchKind = kind }
  }

  private mutating func nextFrame(of item: consuming ItemGrammar) throws(Fault) -> StreamEvent? {
    guard let header = try nextHeader(&item),
      queue.count + passed >= FrameHeader.length + header.payloadLength
    else {
      grammar = item
      return nil
    }
    pending = nil
    let length = FrameHeader.length + header.payloadLength - passed
    passed = 0
    try item.accept(queue.bytes.extracting(FrameHeader.length..<length), of: header)
    used = length
    payloadRange = FrameHeader.length..<length
    if item.hasEnded { return try endItem(header, of: item.kind) }
    grammar = item
    return .frame(header)
  }

  // A frame that its header condemns is refused before its payload is waited for.
  private mutating func nextHeader(_ item: inout ItemGrammar) throws(Fault) -> FrameHeader? {
    if let pending { return pending }
    guard queue.count >= FrameHeader.length else { return nil }
    let header = try FrameHeader(parsing: queue.bytes.extracting(0..<FrameHeader.length))
    try item.accept(header)
    pending = header
    return header
  }

  private mutating func endItem(
    _ header: FrameHeader, of kind: StreamKind
  ) throws(Fault) -> StreamEvent {
    let isAbort = header.type == .abort
    if kind == .end {
      state = .done
      return isAbort ? .batchAborted(header) : try endBatch()
    }
    if isAbort { tally.third += 1 } else { tally.second += 1 }
    if state == .single { state = .done }
    return isAbort ? .itemAborted(header) : .itemEnded(header)
  }

  private func endBatch() throws(Fault) -> StreamEvent {
    guard EndCounts(parsing: payload) == tally else {
      throw Fault(.endMismatch, "the end of the batch counts other items than have come")
    }
    return .batchEnded
  }

  // Fewer bytes than a prologue: is it the begin of one, or something else?
  private func refuseShortInput() throws(Fault) {
    let whole = Prologue.bytes(.plain)
    for index in 0..<min(queue.count, 6) where queue.bytes[index] != whole[index] {
      throw Fault(.notAStream, "the input is not a vault stream")
    }
  }
}
