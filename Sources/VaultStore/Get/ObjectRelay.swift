internal import VaultDigest
internal import VaultFault
internal import VaultFrame

/// One object on its way into the stream, as an item of it.
protocol ObjectRelay: ~Copyable {
  /// Takes the object's next bytes.
  mutating func push<Sink: FrameSink & ~Copyable>(
    _ bytes: Span<UInt8>, _ head: ObjectHead, to writer: inout StreamWriter<Sink>
  ) throws(Fault)

  /// All bytes have come: ends the item well.
  mutating func finish<Sink: FrameSink & ~Copyable>(
    _ head: ObjectHead, to writer: inout StreamWriter<Sink>
  ) throws(Fault)
}

/// A sealed object, or a slice of one: parsed on its way, and written as it was.
///
/// In a batch it gets a label, which names the item that the envelope names.
struct SealedRelay: ObjectRelay, ~Copyable {
  private var reader: StreamReader
  private let kind: StreamKind
  private let seed: LabelSeed

  init(_ kind: StreamKind, _ seed: LabelSeed) {
    self.kind = kind
    self.seed = seed
    reader = StreamReader(accepting: [kind])
  }

  mutating func push<Sink: FrameSink & ~Copyable>(
    _ bytes: Span<UInt8>, _ head: ObjectHead, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    var from = 0
    while from < bytes.count {
      from += reader.push(bytes.extracting(from..<bytes.count))
      try work(head, &writer)
    }
  }

  mutating func finish<Sink: FrameSink & ~Copyable>(
    _ head: ObjectHead, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    guard head.count > 0 else { throw Fault(.notSealed, "it is empty, not a sealed object") }
    do throws(Fault) { try reader.finish() } catch { throw SealedRelay.named(error) }
    try writer.endItem()
  }

  private mutating func work<Sink: FrameSink & ~Copyable>(
    _ head: ObjectHead, _ writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    while let event = try next() {
      switch event {
      case .itemBegan, .itemEnded: break
      case .frame(let header):
        if header.type == .envelope { try begin(head, &writer) }
        try writer.frame(header, reader.payload)
      case .itemAborted:
        throw Fault(.frameOrder, "it holds an abort frame, which no object at rest has")
      case .batchBegan, .batchEnded, .batchAborted:
        throw Fault(.notSealed, "it is a batch, not a sealed object")
      }
    }
  }

  private mutating func next() throws(Fault) -> StreamEvent? {
    do throws(Fault) { return try reader.next() } catch { throw SealedRelay.named(error) }
  }

  private static func named(_ fault: Fault) -> Fault {
    switch fault.kind {
    case .notAStream, .wrongKind:
      Fault(.notSealed, "it is not a sealed object", hint: "--as plain reads it as it is")
    default: fault
    }
  }

  private func begin<Sink: FrameSink & ~Copyable>(
    _ head: ObjectHead, _ writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    let item = try Envelope(parsing: reader.payload).item
    try writer.beginItem(kind)
    guard writer.isBatch else { return }
    let label = try seed.label(of: item, head).checkedPayload()
    try writer.frame(.label, label.span)
  }
}

/// Any object's bytes, as a plain item: `--as plain`. Its end is written when all promised bytes have
/// come; before it the SHA-256 of the data, if one is taken.
struct PlainRelay: ObjectRelay, ~Copyable {
  private let seed: LabelSeed
  private let item: ItemID
  private var digest: Digest?
  private var hasBegun = false
  private var done: UInt64 = 0

  init(_ seed: LabelSeed, takesDigest: Bool) throws(Fault) {
    let item = try seed.itemOrFresh()
    let digest = takesDigest ? try Digest(.sha256) : nil
    self.seed = seed
    self.item = item
    self.digest = digest
  }

  mutating func push<Sink: FrameSink & ~Copyable>(
    _ bytes: Span<UInt8>, _ head: ObjectHead, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    try begin(head, &writer)
    var from = 0
    while from < bytes.count {
      let piece = bytes.extracting(from..<min(bytes.count, from + FrameType.data.limit))
      try digest?.update(piece)
      try writer.frame(.data, piece)
      from += piece.count
    }
    done += UInt64(bytes.count)
  }

  mutating func finish<Sink: FrameSink & ~Copyable>(
    _ head: ObjectHead, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    try begin(head, &writer)
    guard done == head.count else {
      throw Fault(.incomplete, "\(done) bytes of \(head.count) have come")
    }
    if let value = try digest.take()?.finish() {
      let payload = NamedDigest(algorithm: DataDigest.sha256.rawValue, value: value).payload
      try writer.frame(.digest, payload.span)
    }
    try writer.endItem()
  }

  private mutating func begin<Sink: FrameSink & ~Copyable>(
    _ head: ObjectHead, _ writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    guard !hasBegun else { return }
    let label = try seed.plainLabel(of: item, head).checkedPayload()
    try writer.beginItem(.plain)
    try writer.frame(.label, label.span)
    hasBegun = true
  }
}
