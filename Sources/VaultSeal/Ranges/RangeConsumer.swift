public import VaultFault
public import VaultFrame

/// Opens one item and hands on a range of its data: `vault-open --range`.
///
/// Of a slice it takes exactly what the range needs. A sealed stream is opened whole, and all of its
/// checks are made, though only the range is handed on.
public struct RangeConsumer: ItemConsumer, ~Copyable {
  private let keys: Keyring
  private let expected: Expectations
  private let range: ByteRange
  private let write: (Span<UInt8>) throws(Fault) -> Void
  private var slice: SliceOpener?
  private var whole: Opener?
  private var window: RangeWindow?
  /// Whether a SHA-256 of the whole object is expected that a slice cannot show.
  public private(set) var leavesDigestOpen = false

  /// A consumer that hands authenticated data to `write`.
  public init(
    _ keys: Keyring, expecting expected: Expectations, range: ByteRange,
    write: @escaping (Span<UInt8>) throws(Fault) -> Void
  ) {
    self.keys = keys
    self.expected = expected
    self.range = range
    self.write = write
    slice = nil
    whole = nil
  }

  /// False: a lone item's fault ends the stream in any case.
  public var isBroken: Bool { false }

  /// Refused: a range is one of one item.
  public mutating func batchBegan() throws(Fault) {
    throw Fault(.wrongKind, "the input is a batch, a range is one of a single item")
  }

  /// Begins to open.
  public mutating func itemBegan(_ kind: StreamKind) throws(Fault) {
    if kind == .slice {
      slice = SliceOpener(keys, expecting: expected, range: range)
    } else {
      window = try RangeWindow(range)
      whole = Opener(keys, expecting: expected)
    }
  }

  /// Refuses a frame that the range does not need before it is read.
  public mutating func headerCame(_ header: FrameHeader) throws(Fault) {
    try slice?.check(header)
  }

  /// Opens a frame.
  public mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    try slice?.frame(header, payload, write)
    guard var opener = whole.take() else { return }
    var failure: Fault?
    do throws(Fault) { try opener.frame(header, payload) } catch { failure = error }
    let part = window?.accept(opener.released) ?? 0..<0
    if !part.isEmpty { try write(opener.released.extracting(part)) }
    whole = consume opener
    if let failure { throw failure }
  }

  /// Checks what only the end can tell; the last of the range comes after it.
  public mutating func itemEnded(_ end: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    try slice?.end(payload, write)
    leavesDigestOpen = slice?.leavesDigestOpen ?? false
    slice = nil
    guard let opener = whole.take() else { return }
    _ = try opener.finish(end, payload)
    guard let last = try window?.finish(), !last.isEmpty else { return }
    try write(last.span)
  }

  /// Nothing to undo: what was written is authenticated, and the caller's status says that it is not
  /// all.
  public mutating func itemFailed(_ fault: Fault) throws(Fault) { drop() }
  /// Never comes.
  public mutating func batchEnded() throws(Fault) {}
  /// Nothing to undo.
  public mutating func streamFailed(_ fault: Fault) { drop() }

  private mutating func drop() {
    slice = nil
    whole = nil
  }
}
