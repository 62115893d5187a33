public import VaultFault

/// Bytes that have come and are not yet used: grows at its end, shrinks at its front.
///
/// The reader of a stream reads from the descriptor straight into the queue and parses in place, so
/// that a payload is never copied on its way in.
public struct ByteQueue: ~Copyable {
  private var storage: [UInt8]
  private var start = 0
  private var end = 0

  /// An empty queue that holds `capacity` bytes at most.
  public init(capacity: Int) {
    storage = [UInt8](uninitializedCount: capacity)
  }

  /// How many bytes wait.
  public var count: Int { end - start }

  /// The bytes that wait.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(start..<end) }
  }

  /// Forgets the first `count` bytes.
  public mutating func drop(_ count: Int) {
    start += count
    if start == end { (start, end) = (0, 0) }
  }

  /// Lets `body` write into the free room, at most `limit` bytes; it returns how many it wrote.
  public mutating func fill(
    atMost limit: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Fault) -> Int
  ) throws(Fault) -> Int {
    makeRoom(limit)
    let from = end
    let room = min(limit, storage.count - from)
    var result: Result<Int, Fault> = .success(0)
    unsafe storage.withUnsafeMutableBytes { all in
      let free = unsafe UnsafeMutableRawBufferPointer(rebasing: all[from..<from + room])
      do throws(Fault) { result = .success(try unsafe body(free)) } catch {
        result = .failure(error)
      }
    }
    let count = try result.get()
    end += count
    return count
  }

  /// Adds a copy of as many of `bytes` as there is room for; returns how many.
  public mutating func append(_ bytes: Span<UInt8>) -> Int {
    makeRoom(bytes.count)
    let taken = min(bytes.count, storage.count - end)
    storage.replace(at: end, with: bytes.extracting(0..<taken))
    end += taken
    return taken
  }

  // Moving the rest to the front costs a copy: done only when the room behind it is too small.
  private mutating func makeRoom(_ wanted: Int) {
    guard start > 0, storage.count - end < wanted else { return }
    storage.moveToFront(start..<end)
    (start, end) = (0, end - start)
  }
}

extension [UInt8] {
  /// Memory that is handed out before it is filled; its pages cost nothing until they are used.
  public init(uninitializedCount count: Int) {
    unsafe self.init(unsafeUninitializedCapacity: count) { _, filled in filled = count }
  }

  /// Copies `bytes` over the ones from `offset`; there must be room for them.
  public mutating func replace(at offset: Int, with bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return }
    precondition(offset >= 0 && offset + bytes.count <= count)
    unsafe withUnsafeMutableBytes { target in
      unsafe bytes.withUnsafeBytes { source in
        unsafe target.baseAddress?.advanced(by: offset)
          .copyMemory(from: source.baseAddress!, byteCount: source.count)  // not empty: checked
      }
    }
  }

  fileprivate mutating func moveToFront(_ range: Range<Int>) {
    precondition(range.upperBound <= count)
    unsafe withUnsafeMutableBytes { all in
      guard let base = all.baseAddress else { return }
      unsafe base.copyMemory(from: base.advanced(by: range.lowerBound), byteCount: range.count)
    }
  }
}
