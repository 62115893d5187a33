public import VaultFault
public import VaultFrame

/// Opens a sealed item into a plain one, for sealing again: label with all that the manifest says,
/// data, digests, end. A stage of `vault-open --framed`.
public struct FramedOpener: ItemStage, ~Copyable {
  /// A plain stream comes out.
  public static var output: StreamKind { .plain }
  private static let dataBytes = FrameType.data.limit

  private var opener: Opener
  private var label: Label?

  /// An opener for one item.
  public init(_ keys: Keyring, expecting expected: Expectation) throws(Fault) {
    opener = try Opener(keys, expecting: expected)
  }

  /// Takes one frame of a sealed item.
  public mutating func frame<Sink: FrameSink & ~Copyable>(
    _ header: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    var failure: Fault?
    do throws(Fault) { try opener.frame(header, payload) } catch { failure = error }
    try write(opener.released, to: &writer)
    if let failure { throw failure }
    switch header.type {
    case .label where label == nil: try take(Label(parsing: payload))
    case .envelope: try begin(Envelope(parsing: payload).item, to: &writer)
    default: break
    }
  }

  /// Writes the digests, then a label with what the manifest says.
  public consuming func finish<Sink: FrameSink & ~Copyable>(
    _ end: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    let item = try opener.finish(end, payload)
    for digest in item.manifest.digests { try writer.frame(.digest, digest.payload.span) }
    var label = label ?? Label(item: item.envelope.item)
    label.description = item.manifest.description
    label.origin = item.manifest.origin
    try writer.frame(.label, label.payload.span)
  }

  // What comes out will be sealed anew: the envelope is that of the old sealing.
  private mutating func take(_ found: Label) {
    label = found
    label?.envelope = nil
  }

  private mutating func begin<Sink: FrameSink & ~Copyable>(
    _ item: ItemID, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    let first = label ?? Label(item: item)
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
