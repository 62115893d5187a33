public import VaultFault
internal import VaultFrame
public import VaultIO

/// An object in a regular file. It is opened once, so another file under the same name is not seen.
public final class FileSource: ObjectSource {
  private static let pieceBytes = 1 << 20
  private let file: Descriptor
  private let size: UInt64

  /// The path, in quotes.
  public let shown: String
  /// It does.
  public var isLocal: Bool { true }

  /// Opens the file.
  ///
  /// - Throws: `missing-object` when nothing is there; `read-failed` for what is no regular file, and
  ///   for one that cannot be opened.
  public init(_ path: Path) throws(Fault) {
    shown = path.quoted
    // A pipe without a writer would be waited for.
    switch File.kind(path) {
    case nil: throw Fault(.missingObject, "cannot read \(path.quoted): no such file")
    case .regular: break
    default: throw Fault(.readFailed, "cannot read \(path.quoted): not a regular file")
    }
    file = try File.open(path)
    size = file.size ?? 0
  }

  /// Reads the bytes; the pin is the open file.
  public func fetch(
    _ wish: ByteWish, pin: String?, stop: StopFlag,
    sink: (ObjectHead, Span<UInt8>) throws(Fault) -> Void
  ) throws(StoreFault) -> ObjectHead {
    let head = head(wish)
    try permanently { () throws(Fault) in
      guard file.size == size else {
        throw Fault(.objectChanged, "\(shown) has another size now")
      }
      try read(head, stop, sink)
    }
    return head
  }

  private func read(
    _ head: ObjectHead, _ stop: StopFlag, _ sink: (ObjectHead, Span<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    var buffer = [UInt8](uninitializedCount: Int(min(head.count, UInt64(FileSource.pieceBytes))))
    var done: UInt64 = 0
    while done < head.count {
      if stop.isRaised { throw StoreFault.stopped.fault }
      let wanted = Int(min(head.count - done, UInt64(buffer.count)))
      let count = try file.pread(
        into: &buffer, from: buffer.count - wanted, at: head.offset + done)
      guard count > 0 else {
        throw Fault(.incomplete, "\(shown) became shorter while it was read")
      }
      let start = buffer.count - wanted
      try sink(head, buffer.span.extracting(start..<start + count))
      done += UInt64(count)
    }
  }

  private func head(_ wish: ByteWish) -> ObjectHead {
    let range: Range<UInt64> =
      switch wish {
      case .from(let first): min(first, size)..<size
      case .closed(let first, let last): min(first, size)..<min(max(last + 1, first), size)
      case .suffix(let count): size - min(count, size)..<size
      case .opening(let count): 0..<min(count, size)
      }
    return ObjectHead(
      offset: range.lowerBound, count: range.upperBound - range.lowerBound, size: size)
  }
}
