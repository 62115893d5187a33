public import VaultFault
public import VaultFrame

/// Gives a sealed object other readers: a new envelope, all other frames as they are. A stage of
/// `vault-key share`.
public struct ObjectRewriter: ItemStage, ~Copyable {
  /// A sealed stream comes out.
  public static var output: StreamKind { .sealed }

  private let rewriter: EnvelopeRewriter
  private var label: Label?
  private var body: BodyID?

  /// A stage for one item.
  public init(_ rewriter: EnvelopeRewriter) { self.rewriter = rewriter }

  /// Takes one frame and writes it, the envelope with its new slots.
  public mutating func frame<Sink: FrameSink & ~Copyable>(
    _ header: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    switch header.type {
    case .label where body == nil: label = try Label(parsing: payload)
    case .envelope: try begin(Envelope(parsing: payload), to: &writer)
    case .chunks where header.index == 0:
      let head = payload.extracting(0..<min(payload.count, BodyLayout.headBytes)).copied()
      guard body?.head == head else {
        throw Fault(.bodyMismatch, "the body is not the one that the envelope names")
      }
      try writer.frame(.chunks, payload)
    default: try writer.frame(header.type, payload)
    }
  }

  /// Nothing is left.
  public consuming func finish<Sink: FrameSink & ~Copyable>(
    _ end: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {}

  // The slots of a detached object are in its label.
  private mutating func begin<Sink: FrameSink & ~Copyable>(
    _ own: Envelope, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    body = own.body
    guard label?.item ?? own.item == own.item else {
      throw Fault(.badText, "the label names another item than the envelope")
    }
    guard var label, let outside = label.envelope else {
      if let label { try writer.frame(.label, label.payload.span) }
      let new = try rewriter.rewritten(own)
      return try writer.frame(.envelope, new.payload.span)
    }
    let old = try Envelope(parsing: outside.span)
    guard old.item == own.item, old.body == own.body else {
      throw Fault(.otherObject, "the envelope in the label belongs to another object")
    }
    label.envelope = try rewriter.rewritten(old).payload
    try writer.frame(.label, label.payload.span)
    try writer.frame(.envelope, own.payload.span)
  }
}
