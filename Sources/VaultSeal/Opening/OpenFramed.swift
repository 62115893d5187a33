public import VaultFault
public import VaultFrame

/// Opens a sealed item into a plain one, for sealing again: label with all that the manifest says,
/// data, digests, end. A stage of `vault-open --framed`.
public struct FramedOpener: ItemStage, ~Copyable {
  /// A plain stream comes out.
  public static var output: StreamKind { .plain }
  private static let dataBytes = FrameType.data.limit

  private let keys: Keyring
  private let expected: Expectations
  private var opener: Opener?
  private var label: Label?

  /// An opener for one item.
  public init(_ keys: Keyring, expecting expected: Expectations) {
    self.keys = keys
    self.expected = expected
    opener = nil
  }

  /// Takes one frame of a sealed item.
  public mutating func frame<Sink: FrameSink & ~Copyable>(
    _ header: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    if header.type == .label, opener == nil { try accept(Label(parsing: payload), to: &writer) }
    if opener == nil { opener = Opener(keys, expecting: expected) }
    guard var current = opener.take() else { return }
    var failure: Fault?
    do throws(Fault) { try current.frame(header, payload) } catch { failure = error }
    try write(current.released, to: &writer)
    opener = consume current
    if let failure { throw failure }
    switch header.type {
    case .envelope: try begin(Envelope(parsing: payload).item, to: &writer)
    default: break
    }
  }

  /// Writes the digests, then a label with what the manifest says.
  public consuming func finish<Sink: FrameSink & ~Copyable>(
    _ end: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    guard let item = try opener.take()?.finish(end, payload) else { return }
    for digest in item.manifest.digests { try writer.frame(.digest, digest.payload.span) }
    var label = label ?? Label(item: item.envelope.item)
    label.description = item.manifest.description
    label.origin = item.manifest.origin
    try writer.frame(.label, label.payload.span)
  }

  // What comes out will be sealed anew: the envelope is that of the old sealing.
  private mutating func accept<Sink: FrameSink & ~Copyable>(
    _ found: Label, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    var shown = found
    shown.envelope = nil
    label = shown
    try writer.frame(.label, shown.payload.span)
  }

  private mutating func begin<Sink: FrameSink & ~Copyable>(
    _ item: ItemID, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    guard label == nil else { return }
    let first = Label(item: item)
    label = first
    try writer.frame(.label, first.payload.span)
  }

  private func write<Sink: FrameSink & ~Copyable>(
    _ data: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    var from = 0
    while from < data.count {
      let count = min(data.count - from, FramedOpener.dataBytes)
      try writer.frame(.data, data.extracting(from..<from + count))
      from += count
    }
  }
}
