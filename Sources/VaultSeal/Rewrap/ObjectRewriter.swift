public import VaultFault
public import VaultFrame

/// Gives a sealed object other readers: a new envelope, all other frames as they are. A stage of
/// `vault-key share`.
///
/// The object is opened on its way: a frame is handed on when it was proven, and the end only when all of
/// the object was, so that nothing that is damaged or foreign gets a new envelope and a receipt.
public struct ObjectRewriter: ItemStage, ~Copyable {
  /// A sealed stream comes out.
  public static var output: StreamKind { .sealed }

  private let rewriter: EnvelopeRewriter
  private let tell: (ItemID) -> Void
  private var opener: Opener
  private var label: Label?
  private var hasBegun = false

  /// A stage for one item, which must be what is expected; `tell` hears which one it is.
  public init(
    _ rewriter: EnvelopeRewriter, expecting expected: Expectations,
    tell: @escaping (ItemID) -> Void
  ) {
    self.rewriter = rewriter
    self.tell = tell
    opener = Opener(rewriter.keys, expecting: expected)
  }

  /// Takes one frame, opens it, and writes it; the envelope with its new slots.
  public mutating func frame<Sink: FrameSink & ~Copyable>(
    _ header: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    try opener.frame(header, payload)
    switch header.type {
    case .label where !hasBegun: label = try Label(parsing: payload)
    case .envelope:
      let own = try Envelope(parsing: payload)
      guard !own.isDetached || label?.envelope != nil else {
        throw Fault(
          .noKey, "the object carries no slots",
          hint: "its envelope is in its receipt: share that, with --receipts")
      }
      try opener.unlock()
      try begin(own, to: &writer)
    default: try writer.frame(header.type, payload)
    }
  }

  /// Checks what only the end can tell: then the item may end.
  public consuming func finish<Sink: FrameSink & ~Copyable>(
    _ end: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    _ = try opener.finish(end, payload)
  }

  // The slots of a detached object are in its label.
  private mutating func begin<Sink: FrameSink & ~Copyable>(
    _ own: Envelope, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    hasBegun = true
    tell(own.item)
    guard var label, let outside = label.envelope else {
      if let label { try writer.frame(.label, label.payload.span) }
      let new = try rewriter.rewritten(own)
      return try writer.frame(.envelope, new.payload.span)
    }
    let old = try Envelope(parsing: outside.span)
    label.envelope = try rewriter.rewritten(old).payload
    try writer.frame(.label, label.payload.span)
    try writer.frame(.envelope, own.payload.span)
  }
}
