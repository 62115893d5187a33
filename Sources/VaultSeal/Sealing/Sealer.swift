internal import VaultCrypto
public import VaultFault
public import VaultFrame
internal import VaultRecord

/// Seals one item: a plain item in, a sealed item out (FORMAT 6). A stage of `vault-seal`. A plain
/// item without a digest is `frame-order` at its end (FORMAT 4.1).
///
/// The data key and the salts are made here, for this item only; nothing can seal with them again.
public struct Sealer: ItemStage, ~Copyable {
  /// A sealed stream comes out.
  public static var output: StreamKind { .sealed }

  private let options: SealOptions
  private var label: Label?
  private var body: BodySealer?
  private var digests: [NamedDigest] = []

  /// A sealer for one item.
  public init(_ options: SealOptions) { self.options = options }

  /// Takes one frame of a plain item.
  public mutating func frame<Sink: FrameSink & ~Copyable>(
    _ header: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    switch header.type {
    case .label where body == nil: try begin(Label(parsing: payload), to: &writer)
    case .label: try complete(Label(parsing: payload))
    case .data: try body?.push(payload, to: &writer)
    case .digest: try add(NamedDigest(parsing: payload))
    default: break
    }
  }

  /// Writes the end of the body, the manifest, and in a batch what is disclosed.
  public consuming func finish<Sink: FrameSink & ~Copyable>(
    _ end: FrameHeader, _ payload: Span<UInt8>, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    guard !digests.isEmpty else {
      throw Fault(
        .frameOrder, "the item has no digest of its data", hint: "vault-hash --framed takes one")
    }
    guard let label, let sealed = try body.take()?.finish(to: &writer) else {
      throw Fault(.internalFault, "an item without a label")
    }
    try label.compare(dataBytes: sealed.dataBytes, digests)
    var description = label.description
    if description.time == nil { description.time = try options.time() }
    let manifest = Manifest(
      body: sealed.id.commitment, size: sealed.dataBytes, digests: digests,
      description: description, origin: label.origin)
    let message = try manifest.sealed(item: label.item, with: sealed.key)
    try writer.frame(.manifest, message.span)
    guard let shown = try options.disclosed(label, digests)?.writtenPayload() else { return }
    try writer.frame(.label, shown.span)
  }

  private mutating func begin<Sink: FrameSink & ~Copyable>(
    _ label: Label, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    self.label = label
    _ = try options.time()  // before anything is written
    let made = try options.dataKeys.newDataKey(for: label.item)
    let body = try BodySealer(item: label.item, key: made.key)
    let slots = try options.slots(for: made, item: label.item)
    let full = try Envelope.sealing(item: label.item, body: body.id, slots: slots, with: body.key)
    if writer.isBatch {
      var shown = try label.withoutDescription()
      shown.envelope = options.detach ? try full.writtenPayload() : nil
      let text = try shown.writtenPayload()
      try writer.frame(.label, text.span)
    }
    let inside =
      options.detach
      ? try Envelope.sealing(item: label.item, body: body.id, slots: [], with: body.key) : full
    let text = try inside.writtenPayload()
    try writer.frame(.envelope, text.span)
    self.body = consume body
  }

  // A second label says what was known only at the end of the data (FORMAT 5.1).
  private mutating func complete(_ found: Label) throws(Fault) {
    guard found.item == label?.item else {
      throw Fault(.badText, "the two labels of an item name different items")
    }
    label?.description = found.description
    label?.origin = found.origin
  }

  private mutating func add(_ digest: NamedDigest) throws(Fault) {
    guard !digests.contains(where: { $0.algorithm == digest.algorithm }) else {
      throw Fault(.badText, "the item has two digests of one algorithm")
    }
    digests.append(digest)
  }
}

extension Label {
  /// Throws `size-mismatch` or `digest-mismatch` when the data is not what the label says must come.
  fileprivate func compare(dataBytes found: UInt64, _ digests: [NamedDigest]) throws(Fault) {
    guard bytes ?? found == found else {
      throw Fault(.sizeMismatch, "the data has \(found) bytes, the label says \(bytes ?? 0)")
    }
    guard let sha3 else { return }
    guard let digest = digests[.sha3] else {
      throw Fault(.digestMismatch, "the label has a SHA3-256, and none was taken of the data")
    }
    guard sha3 == digest else {
      throw Fault(.digestMismatch, "the SHA3-256 of the data is not the label's")
    }
  }

  /// What may travel in the clear: all but the private description of the data, in the row too.
  func withoutDescription() throws(Fault) -> Label {
    var label = self
    label.description = Description()
    label.digests = []
    label.sha3 = nil
    if let row { label.row = try publicRow(row) }
    return label
  }
}
