public import VaultFault

/// Makes the slice of a range out of pieces of an object at rest (FORMAT 10), without a key: it says
/// which bytes of the object it wants next, and writes the slice's frames as they come.
///
/// ```
/// var slice = SliceMaker(range)
/// try writer.beginItem(.slice)
/// while let wanted = slice.wanted {
///   // fetch `wanted`; with the first answer: try slice.objectHas(total)
///   try slice.push(bytes, to: &writer)       // in pieces of any size, as they come
/// }
/// try writer.endItem()
/// ```
///
/// It wants three pieces at most, no byte twice, and besides the touched chunks and the headers
/// between them no more than ``overheadBytes``. When an answer ends early, ``wanted`` is the rest of
/// it. It holds 1.1 MiB at most. The caller may write a label before the first push, and aborts the
/// item when a call throws.
public struct SliceMaker: ~Copyable {
  /// The most bytes that are fetched besides the touched chunks and the headers between them.
  public static let overheadBytes = ObjectHead.maxBytes + ObjectLayout.maxTailBytes

  private let range: ByteRange
  private var step = Step.head
  private var total: UInt64?
  private var pieces: HeldPieces
  private var head: ObjectHead?
  private var run: ChunkRun?
  private var rest: [UInt8] = []

  private enum Step { case head, tail, chunks, done }

  /// Makes the slice of this range.
  public init(_ range: ByteRange) {
    self.range = range
    pieces = HeldPieces()
    wanted = 0..<UInt64(ObjectHead.maxBytes)
    run = nil
  }

  /// The bytes of the object to fetch next; nil when all has come and been written but the end frame.
  ///
  /// The first piece may go past the end of the object: then all of the object is meant.
  public private(set) var wanted: Range<UInt64>?

  /// Set when the range begins past the end of the data as the object's end frame counts it.
  ///
  /// The slice is then that of no byte, so that its reader can prove the length and say the same;
  /// the caller ends with this fault.
  public private(set) var rangeFault: Fault?

  /// Says how many bytes the object has: once, with the first answer and before its first byte.
  /// Throws `incomplete` for none.
  public mutating func objectHas(_ total: UInt64) throws(Fault) {
    guard total > 0 else { throw Fault(.incomplete, "the object is empty") }
    self.total = total
    wanted = wanted?.clamped(to: 0..<total)
  }

  /// Takes the next bytes of ``wanted``, no more than it has, and writes the frames they lead to.
  ///
  /// Throws the named fault of a wrong prologue, envelope, header, length or end.
  public mutating func push<Sink: FrameSink & ~Copyable>(
    _ bytes: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    guard let total, let wanted, bytes.count <= wanted.count else {
      throw Fault(.internalFault, "bytes of an object that were not asked for")
    }
    if step == .chunks { try run?.push(bytes, to: &writer) } else { pieces.append(bytes) }
    self.wanted = wanted.dropFirst(bytes.count)
    while self.wanted?.isEmpty == true { try advance(total, to: &writer) }
  }

  private mutating func advance<Sink: FrameSink & ~Copyable>(
    _ total: UInt64, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    switch step {
    case .head:
      head = try ObjectHead(parsing: pieces.first)
      let most = UInt64(ObjectLayout.maxTailBytes)
      want(pieces.beginSecond(at: total > most ? total - most : 0)..<total, .tail)
    case .tail: try beginRun(total, to: &writer)
    case .chunks: try finishRun(to: &writer)
    case .done: wanted = nil
    }
  }

  private mutating func want(_ range: Range<UInt64>, _ step: Step) {
    wanted = range
    self.step = step
  }

  private func layout(_ head: ObjectHead, _ total: UInt64) throws(Fault) -> ObjectLayout {
    guard total >= UInt64(ObjectLayout.endBytes) else {
      throw Fault(.incomplete, "the object ends before its end frame")
    }
    let end = pieces.bytes(in: total - UInt64(ObjectLayout.endBytes)..<total)
    return try ObjectLayout(end: end.span, head: head, total: total)
  }

  // What proves the length goes first; then the touched chunks, whose first and last bytes may be
  // at hand already.
  private mutating func beginRun<Sink: FrameSink & ~Copyable>(
    _ total: UInt64, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    guard let head else { throw Fault(.internalFault, "a slice without a head") }
    let layout = try layout(head, total)
    let end = pieces.bytes(in: layout.tailOffset..<total)
    try ObjectTail(parsing: end, layout).write(head, layout, to: &writer)
    var data: Range<UInt64> = 0..<0
    do throws(Fault) { data = try range.located(in: layout.dataBytes) } catch {
      rangeFault = error
    }
    let touched = TouchedChunks(data, dataBytes: layout.dataBytes)
    let place = touched.objectRange(envelopeBytes: head.envelopeBytes)
    run = ChunkRun(touched, dataBytes: layout.dataBytes)
    try run?.push(pieces.before(place).span, to: &writer)
    want(pieces.missing(of: place), .chunks)
    rest = pieces.after(place)
    pieces = HeldPieces()
  }

  private mutating func finishRun<Sink: FrameSink & ~Copyable>(
    to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    let bytes = rest
    try run?.push(bytes.span, to: &writer)
    rest = []
    guard run?.isDone == true else { throw Fault(.internalFault, "a slice without its chunks") }
    step = .done
  }
}
