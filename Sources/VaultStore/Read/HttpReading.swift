internal import VaultFault

/// Reads one answer to a GET: checks what it promises, counts what comes.
struct HttpReading {
  private let wish: ByteWish
  private let pin: String?
  private var head: ObjectHead?
  private var got: UInt64 = 0
  private static let wasteLimit: UInt64 = 4 << 20

  init(_ wish: ByteWish, pin: String?) {
    self.wish = wish
    self.pin = pin
  }

  /// Takes a piece; what it passes on lies within the wish, also where the server ignores ranges.
  mutating func take(
    _ response: HttpResponse, _ piece: Span<UInt8>,
    _ sink: (ObjectHead, Span<UInt8>) throws(Fault) -> Void
  ) throws(HttpFailure) {
    let head = try head(of: response)
    self.head = head
    // The bytes before the wish, where the whole object comes for a range.
    let start = response.status == 206 ? head.offset : 0
    let from = max(head.offset, start + got)
    let through = min(head.offset + head.count, start + got + UInt64(piece.count))
    defer { got += UInt64(piece.count) }
    guard from < through else { return got == 0 ? try announce(head, sink) : () }
    let part = piece.extracting(Int(from - start - got)..<Int(through - start - got))
    do { try sink(head, part) } catch { throw .local(error) }
    // The whole object comes for a range, and the rest of it would cost more than a connection.
    if response.status == 200, through == head.offset + head.count, let size = head.size,
      size - through > HttpReading.wasteLimit
    {
      throw .transient("the rest of the answer is not needed")
    }
  }

  // The bytes that are wanted may be far behind in an answer that ignores the range: whoever has
  // another way is told at once.
  private func announce(
    _ head: ObjectHead, _ sink: (ObjectHead, Span<UInt8>) throws(Fault) -> Void
  ) throws(HttpFailure) {
    guard head.ignoresRange else { return }
    do { try sink(head, Span()) } catch { throw .local(error) }
  }

  /// The head, at the end of the answer; an empty body never came to ``take(_:_:_:)``.
  func finish(_ response: HttpResponse) throws(HttpFailure) -> ObjectHead {
    let head = try head(of: response)
    let promised = response.status == 206 ? head.count : head.size ?? 0
    guard got == promised else { throw .transient("the answer ended early") }
    return head
  }

  private func head(of response: HttpResponse) throws(HttpFailure) -> ObjectHead {
    if let head { return head }
    let etag = response.headers["etag"]
    if let pin, etag != pin {
      throw HttpFailure(kind: .objectChanged, reason: "the object is not the same any more")
    }
    guard var head = response.status == 206 ? Self.partial(response) : Self.whole(response, wish),
      Self.fits(head, wish)
    else {
      throw HttpFailure(
        kind: .remoteRefused, reason: "the server does not say which bytes it sends, or others")
    }
    head.etag = etag
    head.versionID = response.headers["x-amz-version-id"]
    head.ignoresRange = response.status == 200 && wish.header != nil
    return head
  }

  // RFC 9110 §14.4: `bytes 0-99/1234`, where the unit has no case and the size may be `*`.
  static func partial(_ response: HttpResponse) -> ObjectHead? {
    guard let text = response.headers["content-range"] else { return nil }
    let words = text.split { $0 == " " || $0 == "\t" || $0 == "/" }.map(String.init)
    guard words.count == 3, asciiLowercased(words[0]) == "bytes", text.contains("/") else {
      return nil
    }
    let ends = words[1].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = UInt64(ends[0]), let last = UInt64(ends[1]), first <= last,
      last < .max
    else { return nil }
    let count = last - first + 1
    guard response.contentLength.map({ $0 == count }) ?? true else { return nil }
    if words[2] == "*" { return ObjectHead(offset: first, count: count, size: nil) }
    guard let size = UInt64(words[2]), last < size else { return nil }
    return ObjectHead(offset: first, count: count, size: size)
  }

  private static func whole(_ response: HttpResponse, _ wish: ByteWish) -> ObjectHead? {
    guard response.status == 200, let size = response.contentLength else { return nil }
    switch wish {
    case .from(let first):
      return ObjectHead(offset: first, count: size - min(first, size), size: size)
    case .closed(let first, let last):
      let end = last < size ? last + 1 : size
      return ObjectHead(offset: first, count: end - min(first, end), size: size)
    case .suffix(let count):
      let kept = min(count, size)
      return ObjectHead(offset: size - kept, count: kept, size: size)
    case .opening: return ObjectHead(offset: 0, count: size, size: size)
    }
  }

  // Ends may be clamped by the object's size, and nothing else.
  private static func fits(_ head: ObjectHead, _ wish: ByteWish) -> Bool {
    let end = head.offset + head.count
    switch wish {
    case .from(let first): return head.offset == first && end == head.size ?? end
    case .closed(let first, let last):
      let size = head.size ?? last.addingReportingOverflow(1).partialValue
      let wantedEnd = last < size ? last + 1 : size
      return head.offset == first && head.count == wantedEnd - min(first, size)
    case .suffix(let count):
      return head.count == head.size.map({ min(count, $0) }) && end == head.size
    case .opening(let count):
      let wanted = min(count, head.size ?? end)
      return head.offset == 0 && (head.count == head.size || head.count == wanted)
    }
  }
}
