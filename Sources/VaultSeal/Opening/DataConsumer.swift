public import VaultFault
public import VaultFrame

/// Opens one item and hands on its data, a frame of chunks at a time: `vault-open` without a mode.
public struct DataConsumer: ItemConsumer, ~Copyable {
  private let keys: Keyring
  private let expected: Expectations
  private let write: (Span<UInt8>) throws(Fault) -> Void
  private var opener: Opener?
  /// What was opened; nil until the end has been checked.
  public private(set) var opened: OpenedItem?

  /// A consumer that hands authenticated data to `write`.
  public init(
    _ keys: Keyring, expecting expected: Expectations,
    write: @escaping (Span<UInt8>) throws(Fault) -> Void
  ) {
    self.keys = keys
    self.expected = expected
    self.write = write
    opener = nil
  }

  /// False: a lone item's fault ends the stream in any case.
  public var isBroken: Bool { false }

  /// Refused: whose data would it be?
  public mutating func batchBegan() throws(Fault) {
    throw Fault(
      .wrongKind, "the input is a batch, whose items cannot be told apart in one output",
      hint: "use --check, --framed or --inspect")
  }

  /// Begins to open; throws `wrong-kind` for a slice, which answers a range that was not given.
  public mutating func itemBegan(_ kind: StreamKind) throws(Fault) {
    guard kind != .slice else {
      throw Fault(
        .wrongKind, "the input is a slice, which holds a range of an object and not all of it",
        hint: "give --range as it was given to vault-get")
    }
    opener = Opener(keys, expecting: expected)
  }

  /// Opens a frame; what came before a damaged chunk is written first.
  public mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    guard var opener = opener.take() else { return }
    var failure: Fault?
    do throws(Fault) { try opener.frame(header, payload) } catch { failure = error }
    if !opener.released.isEmpty { try write(opener.released) }
    self.opener = consume opener
    if let failure { throw failure }
  }

  /// Checks what only the end can tell.
  public mutating func itemEnded(_ end: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    opened = try opener.take()?.finish(end, payload)
  }

  /// Nothing to undo: what was written is authenticated, and the caller's status says that it is not
  /// all.
  public mutating func itemFailed(_ fault: Fault) throws(Fault) { opener = nil }
  /// Never comes.
  public mutating func batchEnded() throws(Fault) {}
  /// Nothing to undo.
  public mutating func streamFailed(_ fault: Fault) { opener = nil }
}
