internal import Synchronization
public import VaultFault
public import VaultFrame

/// What `vault-get` was asked to do.
public struct GetSettings: Sendable {
  /// What is made of an object.
  public enum Form: Equatable, Sendable {
    /// The sealed object as it is.
    case sealed
    /// Any object's bytes, as a plain item.
    case plain
    /// The slice of a range of a sealed object.
    case range(ByteRange)

    /// Only what shows the structure: a slice of no bytes.
    public static let heads = Form.range(.nothing)

    var kind: StreamKind {
      switch self {
      case .sealed: .sealed
      case .plain: .plain
      case .range: .slice
      }
    }
  }

  /// What is made of an object.
  public var form = Form.sealed
  /// A plain item ends with the SHA-256 of its data; otherwise with no digest (FORMAT 4.1).
  public var takesDigest = true
  /// How many objects of a batch are read ahead.
  public var jobs = 4
  /// The longest object that is read ahead, in bytes.
  public var readAhead: UInt64 = 8 << 20
  /// The longest object that is read at all.
  public var maxBytes: UInt64?
  /// Rows without their end line are not complete.
  public var needsRowsEnd = false
  /// When a failed request is made again.
  public var policy = RetryPolicy.standard
  /// The tool's name, for abort frames.
  public var tool = "vault-get"
  /// Told of each bad item of a batch, as it fails; a lone item's fault is thrown instead.
  public var notice: @Sendable (Fault) -> Void = { _ in }

  /// Settings with the usual values.
  public init() {}
}

/// How far a get has come; may be read from any thread.
public final class GetCounts: Sendable {
  private let bytes = Atomic<UInt64>(0)
  private let ended = Atomic<UInt64>(0)
  private let promised = Atomic<UInt64>(0)

  /// Nothing yet.
  public init() {}

  /// Bytes of objects that went out.
  public var done: UInt64 { bytes.load(ordering: .relaxed) }
  /// Items that are over.
  public var items: UInt64 { ended.load(ordering: .relaxed) }
  /// The bytes of a lone object; nil in a batch, and before they are known.
  public var total: UInt64? {
    let total = promised.load(ordering: .relaxed)
    return total == 0 ? nil : total
  }

  func add(_ count: Int) { bytes.add(UInt64(count), ordering: .relaxed) }
  func end() { ended.add(1, ordering: .relaxed) }
  func expect(_ count: UInt64) { promised.store(count, ordering: .relaxed) }
}
