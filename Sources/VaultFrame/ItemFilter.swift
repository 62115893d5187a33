public import VaultFault

/// What a filter does with one item: frames in, frames out.
public protocol ItemStage: ~Copyable {
  /// The kind of items that come out.
  static var output: StreamKind { get }

  /// Takes one frame and writes what it leads to.
  mutating func frame<Sink: FrameSink & ~Copyable>(
    _ header: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault)

  /// The item has ended well, with this end frame: writes what is left, but no end frame.
  consuming func finish<Sink: FrameSink & ~Copyable>(
    _ end: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault)
}

/// Turns a stage for one item into a consumer of streams that writes a stream: it carries batches,
/// aborts and ends.
public struct ItemFilter<Stage: ItemStage & ~Copyable, Sink: FrameSink & ~Copyable>:
  ItemConsumer, ~Copyable
{
  /// Where the frames go.
  public var writer: StreamWriter<Sink>
  /// Asked before an item or a batch is ended well, and whether the output ends with it: what it throws
  /// is the item's or the batch's fault.
  public var beforeEnd: (_ isLast: Bool) throws(Fault) -> Void = { _ in }
  private let tool: String
  private let alwaysBatch: Bool
  private let makeStage: () throws(Fault) -> Stage
  private var stage: Stage?

  /// A filter that makes a fresh stage for each item. `alwaysBatch`: a lone item is written as a
  /// batch of one, since what comes out needs labels.
  public init(
    _ tool: String, to sink: consuming Sink, alwaysBatch: Bool = false,
    makeStage: @escaping () throws(Fault) -> Stage
  ) {
    self.tool = tool
    self.alwaysBatch = alwaysBatch
    self.makeStage = makeStage
    writer = StreamWriter(to: sink)
    stage = nil
  }

  /// True when the output failed.
  public var isBroken: Bool { writer.isBroken }

  private var hasBegun = false
  private var inputIsBatch = false
  private var isComplete = false

  /// Begins a batch.
  public mutating func batchBegan() throws(Fault) {
    inputIsBatch = true
    try beginOutput()
  }

  /// Begins an item with a fresh stage.
  public mutating func itemBegan(_ kind: StreamKind) throws(Fault) {
    if alwaysBatch { try beginOutput() }
    try writer.beginItem(Stage.output)
    stage = try makeStage()
  }

  /// Hands the frame to the stage.
  public mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    try stage?.frame(header, payload, to: &writer)
  }

  /// Finishes the stage and ends the item; a lone one ends with the stream.
  public mutating func itemEnded(_ end: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    try stage.take()?.finish(end, payload, to: &writer)
    guard inputIsBatch else {
      isComplete = true
      return
    }
    try beforeEnd(false)
    try writer.endItem()
  }

  /// Ends the item with an abort frame.
  public mutating func itemFailed(_ fault: Fault) throws(Fault) {
    stage = nil
    writer.abortItem(fault.abortOrigin(tool: tool))
  }

  /// The batch ends with the stream.
  public mutating func batchEnded() throws(Fault) { isComplete = true }

  /// Ends the output well.
  public mutating func streamEnded() throws(Fault) {
    guard isComplete else { return }
    try beforeEnd(true)
    if !inputIsBatch { try writer.endItem() }
    try writer.endBatch()
  }

  /// Aborts all that is open.
  public mutating func streamFailed(_ fault: Fault) {
    stage = nil
    writer.abort(fault.abortOrigin(tool: tool))
  }

  private mutating func beginOutput() throws(Fault) {
    guard !hasBegun else { return }
    hasBegun = true
    try writer.beginBatch()
  }
}

extension Fault {
  /// What an abort frame says of this fault: the first cause, which may lie upstream.
  public func abortOrigin(tool: String) -> AbortOrigin {
    origin ?? AbortOrigin(stage: tool, exit: status.rawValue, name: kind.rawValue)
  }
}
