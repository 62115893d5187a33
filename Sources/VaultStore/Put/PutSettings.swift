public import VaultFault
public import VaultIO

/// What `vault-put` was asked to do, apart from the store.
public struct PutSettings: Sendable {
  /// Where items go.
  public var destination: Destination
  /// How many parts or commits are in hand at once.
  public var jobs = 4
  /// Bytes of part buffers in memory, shared by all items.
  public var memory = 64 << 20
  /// Where buffers go past that, in files without a name; ciphertext only.
  public var temporary: Path = "/tmp"
  /// Objects may be replaced.
  public var overwrite = false
  /// More headers for each object.
  public var headers: [(name: String, value: String)] = []
  /// The checksum sent with each part.
  public var checksum = ChecksumChoice.sha256
  /// What counts as the proof that an object is there.
  public var proof = ProofChoice.head
  /// The tool's name, for receipts.
  public var tool = "vault-put"
  /// Takes secrets out of what receipts repeat of the server's words.
  public var redact: @Sendable (String) -> String = { $0 }
  /// Told of each bad item of a batch, as it fails; a lone item's fault is thrown instead.
  public var notice: @Sendable (Fault) -> Void = { _ in }

  /// Settings with the usual values.
  public init(_ destination: Destination) { self.destination = destination }
}

/// How far a put has come; may be read from any thread.
public struct PutCounts: Equatable, Sendable {
  /// Bytes of objects that were read.
  public var received: UInt64 = 0
  /// Bytes of objects that stores have acknowledged.
  public var stored: UInt64 = 0
  /// Bytes that are expected, as far as labels say it; nil when none did.
  public var expected: UInt64?
  /// Items that are over.
  public var items: UInt64 = 0
  /// Those among them that are not stored.
  public var bad: UInt64 = 0

  // Labels are claims: their sum may be more than a number holds.
  mutating func expect(_ bytes: UInt64) {
    let sum = (expected ?? 0).addingReportingOverflow(bytes)
    expected = sum.overflow ? .max : sum.partialValue
  }
}
