public import VaultFault
public import VaultFrame

/// Measures a plain item that comes framed already: a stage of `vault-hash --framed`.
///
/// Its own digests take the place of those that came; of these it compares the ones it takes itself.
public struct PlainMeasurer: ItemStage, ~Copyable {
  /// A plain stream comes out.
  public static var output: StreamKind { .plain }

  private let options: MeasureOptions
  private var measure: Measure?
  private var came: [NamedDigest] = []
  private var item: ItemID?
  private var second: [UInt8]?

  /// A measurer for one item.
  public init(_ options: MeasureOptions) { self.options = options }

  /// Takes one frame of a plain item.
  public mutating func frame<Sink: FrameSink & ~Copyable>(
    _ header: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    switch header.type {
    case .label where measure == nil: try begin(payload, to: &writer)
    case .label: try complete(payload)
    case .data:
      try measure?.add(payload)
      try writer.frame(.data, payload)
    case .digest: try add(NamedDigest(parsing: payload))
    default: break
    }
  }

  /// Writes the digests, and the second label if one came.
  public consuming func finish<Sink: FrameSink & ~Copyable>(
    _ end: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    let digests = try measure.take()?.finish() ?? []
    for digest in digests {
      guard let other = came.first(where: { $0.algorithm == digest.algorithm }) else { continue }
      guard other == digest else {
        throw Fault(.digestMismatch, "the \(digest.algorithm) that came is not that of the data")
      }
    }
    try writer.write(digests)
    if let second { try writer.frame(.label, second.span) }
  }

  private mutating func begin<Sink: FrameSink & ~Copyable>(
    _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    let label = try Label(parsing: payload)
    item = label.item
    measure = try Measure(options, label)
    try writer.frame(.label, payload)
  }

  private mutating func complete(_ payload: Span<UInt8>) throws(Fault) {
    guard try Label(parsing: payload).item == item else {
      throw Fault(.badText, "the two labels of an item name different items")
    }
    second = payload.copied()
  }

  private mutating func add(_ digest: NamedDigest) throws(Fault) {
    guard !came.contains(where: { $0.algorithm == digest.algorithm }) else {
      throw Fault(.badText, "the item has two digests of one algorithm")
    }
    came.append(digest)
  }
}
