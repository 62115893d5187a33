public import VaultFault
public import VaultFrame

/// Makes a plain stream of raw bytes: label, data, digests, end (FORMAT 4.1, kind p).
public struct PlainMaker<Sink: FrameSink & ~Copyable>: ~Copyable {
  /// Writes to the sink.
  public var writer: StreamWriter<Sink>
  private var measure: Measure?

  /// Writes the label; `options` says what is measured and what must hold.
  public init(
    to sink: consuming Sink, _ label: Label, _ options: MeasureOptions
  ) throws(Fault) {
    let measure = try Measure(options, label)
    var writer = StreamWriter(to: sink)
    let payload = try label.writtenPayload()
    guard payload.count <= FrameType.label.limit else {
      throw Fault(.tooLarge, "the name does not fit into a label")
    }
    try writer.beginItem(.plain)
    try writer.frame(.label, payload.span)
    self.writer = writer
    self.measure = consume measure
  }

  /// Takes the next bytes of the original.
  public mutating func push(_ data: Span<UInt8>) throws(Fault) {
    var from = 0
    while from < data.count {
      let piece = data.extracting(from..<min(data.count, from + FrameType.data.limit))
      try measure?.add(piece)
      try writer.frame(.data, piece)
      from += piece.count
    }
  }

  /// The original has ended, and well: writes the digests and the end.
  public mutating func finish() throws(Fault) {
    try writer.write(measure.take()?.finish() ?? [])
    try writer.endItem()
  }

  /// Gives the item up; whatever was written is no item.
  public mutating func abort(_ fault: Fault, tool: String) {
    writer.abort(fault.abortOrigin(tool: tool))
  }
}

extension StreamWriter where Sink: ~Copyable {
  /// Writes a digest frame for each.
  mutating func write(_ digests: [NamedDigest]) throws(Fault) {
    for digest in digests {
      let payload = digest.payload
      try frame(.digest, payload.span)
    }
  }
}
