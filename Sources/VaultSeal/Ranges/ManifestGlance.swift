public import VaultFault
public import VaultFrame

/// Opens the manifest of a slice of no byte, to learn whether its text can be read and which digests
/// the data will be compared with.
///
/// It refuses early and spares digests: nothing that it says is believed later, since the manifest is
/// opened and compared again where the stream has it.
public struct ManifestGlance: ItemConsumer, ~Copyable {
  private let keys: Keyring
  private let expected: Expectations
  private var slice: SliceOpener?
  /// The digests that the manifest names; nil until it has been opened.
  public private(set) var named: Set<DataDigest>?

  /// A glance with these keys, at the object that is expected: of another one nothing is opened. Within
  /// ``Expectations/looking(_:)``, so that it takes nothing up.
  public init(_ keys: Keyring, expecting expected: Expectations) {
    self.keys = keys
    self.expected = expected
    slice = nil
  }

  /// False: a lone item's fault ends the stream in any case.
  public var isBroken: Bool { false }

  /// Never comes.
  public mutating func batchBegan() throws(Fault) {}

  /// Begins to open.
  public mutating func itemBegan(_ kind: StreamKind) throws(Fault) {
    slice = SliceOpener(keys, expecting: expected, range: .nothing)
  }

  /// Opens a frame.
  public mutating func frame(_ header: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {
    try slice?.frame(header, payload) { _ in }
    named = slice?.named
  }

  /// Nothing to do.
  public mutating func itemEnded(_ end: FrameHeader, _ payload: Span<UInt8>) throws(Fault) {}
  /// Nothing to undo.
  public mutating func itemFailed(_ fault: Fault) throws(Fault) {}
  /// Never comes.
  public mutating func batchEnded() throws(Fault) {}
  /// Nothing to undo.
  public mutating func streamFailed(_ fault: Fault) {}
}
