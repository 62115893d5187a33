public import VaultFault

/// Bytes that can be read again and again until their part is acknowledged.
public protocol PartBytes: Sendable {
  /// How many there are.
  var size: UInt64 { get }

  /// Copies bytes from `offset` on; returns how many, 0 only at the end. Safe from any thread.
  func read(at offset: UInt64, into out: inout MutableSpan<UInt8>) throws(Fault) -> Int

  /// Calls `body` with all of them in order, in pieces of at most ``piece`` bytes, from where they lie if
  /// they lie in memory. Safe from any thread.
  func forEachPiece(
    _ body: (Span<UInt8>, _ at: UInt64) throws(Fault) -> Void
  ) throws(Fault)
}

extension PartBytes {
  /// 256 KiB: with more in one write some kernels take memory of another kind for their cache, and
  /// three times as long.
  static var piece: Int { 262_144 }

  /// Copies each piece.
  public func forEachPiece(
    _ body: (Span<UInt8>, _ at: UInt64) throws(Fault) -> Void
  ) throws(Fault) { try copyPieces(in: 0..<size, body) }

  /// The same for a part of them.
  func copyPieces(
    in range: Range<UInt64>, _ body: (Span<UInt8>, _ at: UInt64) throws(Fault) -> Void
  ) throws(Fault) {
    var buffer = [UInt8](repeating: 0, count: min(Self.piece, range.count))
    var at = range.lowerBound
    while at < range.upperBound {
      var out = buffer.mutableSpan
      let count = min(try read(at: at, into: &out), Int(range.upperBound - at))
      guard count > 0 else { throw Fault(.readFailed, "a part buffer is shorter than it was") }
      try body(buffer.span.extracting(0..<count), at)
      at += UInt64(count)
    }
  }
}

/// One part of an object, whole and checked: its bytes do not change any more.
public struct PartData: Sendable {
  /// The place in the object, from 1.
  public let number: Int
  /// Where its first byte lies in the object.
  public let offset: UInt64
  /// The bytes, in memory or in an unlinked temporary file.
  public let bytes: any PartBytes
  /// Their SHA-256, 32 bytes, as counted by this process; nil for a store that does not need it
  /// (``Store/needsPartDigests``).
  public let sha256: [UInt8]?

  /// Takes a part whose bytes were checked.
  public init(number: Int, offset: UInt64, bytes: any PartBytes, sha256: [UInt8]?) {
    self.number = number
    self.offset = offset
    self.bytes = bytes
    self.sha256 = sha256
  }

  /// Its size in bytes.
  public var size: UInt64 { bytes.size }

  /// Calls `body` with the bytes in order, in pieces of at most 256 KiB.
  public func forEachPiece(
    _ body: (Span<UInt8>, _ at: UInt64) throws(Fault) -> Void
  ) throws(Fault) { try bytes.forEachPiece(body) }
}

/// A part's bytes as one array: small parts, and tests.
public struct ArrayBytes: PartBytes {
  private let array: [UInt8]

  /// Keeps the array.
  public init(_ array: [UInt8]) { self.array = array }

  /// How many bytes the array has.
  public var size: UInt64 { UInt64(array.count) }

  /// Copies from the array; never fails.
  public func read(at offset: UInt64, into out: inout MutableSpan<UInt8>) throws(Fault) -> Int {
    guard offset < size else { return 0 }
    let start = Int(offset)
    let count = min(out.count, array.count - start)
    out.copyPrefix(of: array.span.extracting(start..<start + count))
    return count
  }
}

/// What a store answers for a part, and needs again at commit.
public struct PartReceipt: Equatable, Sendable {
  /// The place in the object, from 1.
  public let number: Int
  /// Bytes of the part.
  public let size: UInt64
  /// The remote's tag, opaque text, as received (never compared with a digest).
  public let etag: String
  /// SHA-256 of the part, 32 bytes; nil where nobody took it, or the listing has none.
  public let sha256: [UInt8]?

  /// Takes the answer.
  public init(number: Int, size: UInt64, etag: String, sha256: [UInt8]?) {
    self.number = number
    self.size = size
    self.etag = etag
    self.sha256 = sha256
  }
}
