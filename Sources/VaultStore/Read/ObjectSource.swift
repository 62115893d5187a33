public import VaultFault

/// The bytes that are wanted of an object.
public enum ByteWish: Equatable, Sendable {
  /// From an offset to the end.
  case from(UInt64)
  /// Both ends included.
  case closed(UInt64, UInt64)
  /// So many last bytes.
  case suffix(UInt64)
  /// So many first bytes; all of the object, where the server ignores ranges.
  case opening(UInt64)

  /// The value of a `Range` header; nil: the whole object.
  var header: String? {
    switch self {
    case .from(0): nil
    case .from(let first): "bytes=\(first)-"
    case .closed(let first, let last): "bytes=\(first)-\(last)"
    case .suffix(let count): "bytes=-\(count)"
    case .opening(let count): "bytes=0-\(count - 1)"
    }
  }
}

/// What an answer says of the object and of the bytes that it brings.
public struct ObjectHead: Equatable, Sendable {
  /// The first byte that comes.
  public var offset: UInt64
  /// How many come.
  public var count: UInt64
  /// The size of the whole object; nil when a server does not say it with a part of one.
  public var size: UInt64?
  /// The object's tag, opaque.
  public var etag: String?
  /// Its version, in a bucket with versions.
  public var versionID: String?
  /// A range was asked for, and the object comes from its first byte on.
  public var ignoresRange = false
}

/// A place that an object can be read from, at any offset and more than once.
public protocol ObjectSource: Sendable {
  /// How messages call it; holds no secret.
  var shown: String { get }

  /// Whether it lies on this machine, where several readers gain nothing over one.
  var isLocal: Bool { get }

  /// Asks once for `wish` and gives the bytes to `sink` as they come, each with the answer's head.
  ///
  /// - Parameter pin: the ETag that the object must still have; changed is `object-changed`.
  /// - Returns: the head, when all bytes that it promises have come.
  func fetch(
    _ wish: ByteWish, pin: String?, stop: StopFlag,
    sink: (ObjectHead, Span<UInt8>) throws(Fault) -> Void
  ) throws(StoreFault) -> ObjectHead
}

extension ObjectSource {
  /// Elsewhere, unless a source says otherwise.
  public var isLocal: Bool { false }
}
