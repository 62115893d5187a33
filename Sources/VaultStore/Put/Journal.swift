public import VaultFault
public import VaultIO
internal import Synchronization
internal import VaultRecord
internal import VaultText

/// The synced record of what was begun: a crash leaves nothing behind that it does not name.
///
/// One JSON object a line, each written whole and synced before what it announces is done:
/// `begin` (item, object, token, body, the envelope if it is detached) before an upload is opened,
/// `upload` with its id before its first part, `commit` with the receipt as it will be. An `end`
/// announces nothing: where a power cut takes it, a sweep looks once more; so it is synced only when
/// it has the receipt that could not be printed. While it is open nobody can sweep it.
public final class Journal: Sendable {
  private struct Book: ~Copyable, Sendable {
    let file: Descriptor
    // Where our last line ended, if it ended well.
    var end: UInt64?
  }

  private let book: Mutex<Book>
  private let storage: SharedSync
  /// The path, in quotes.
  public let name: String
  /// Which file it is.
  public let identity: FileIdentity?

  /// Opens or makes the file, mode 0600.
  ///
  /// - Throws: `cannot-create`, also for a file that holds something else, which is left as it is;
  ///   `write-failed` while it is being swept.
  public convenience init(_ path: Path) throws(Fault) { try self.init(path, exclusively: false) }

  init(_ path: Path, exclusively: Bool) throws(Fault) {
    let file = try File.openForAppending(path)
    guard file.kind == .regular else {
      throw Fault(.cannotCreate, "cannot use \(path.quoted) as a journal: not a regular file")
    }
    guard try file.beginsAsAJournal() else {
      throw Fault(
        .cannotCreate, "cannot use \(path.quoted) as a journal: it holds something else",
        hint: "it was left as it is; name a file that is new, empty or a journal of vault-put")
    }
    try file.lock(exclusively: exclusively)
    name = path.quoted
    identity = file.identity
    storage = SharedSync(of: file)
    book = Mutex(Book(file: file))
  }

  func begin(_ item: ItemProgress, body: String, envelope: [UInt8]?) throws(Fault) {
    try write(.begin, item) { line in
      line.add("item", item.item)
      line.add("object", item.name?.shown)
      line.add("home", item.home)
      line.add("body", body)
      line.add("envelope", envelope.map { String(decoding: $0, as: UTF8.self) })
    }
  }

  func upload(_ item: ItemProgress, _ upload: UploadName) throws(Fault) {
    try write(.upload, item) { $0.add("upload", upload.id) }
  }

  func part(_ item: ItemProgress, _ part: PartReceipt) throws(Fault) {
    try write(.part, item) { line in
      line.add("number", UInt64(part.number))
      line.add("bytes", part.size)
      line.add("sha256", part.sha256.map { hex($0) })
      line.add("etag", part.etag)
    }
  }

  func commit(_ item: ItemProgress, _ receipt: Receipt) throws(Fault) {
    try write(.commit, item) { line in
      line.add("home", item.home)
      line.add("receipt", raw: receipt.line)
    }
  }

  // `unprinted`: the receipt, when it could not be printed.
  func end(_ item: ItemProgress, _ status: String, unprinted: Receipt? = nil) throws(Fault) {
    try write(.end, item, isSynced: unprinted != nil) { line in
      line.add("status", status)
      line.add("receipt", raw: unprinted?.line)
    }
  }

  private func write(
    _ event: JournalEvent, _ item: ItemProgress, isSynced: Bool = true,
    _ body: (inout JSONWriter) -> Void
  ) throws(Fault) {
    let line = event.line(token: item.token, body)
    try book.withLock { (book) throws(Fault) in
      let known = book.end.take()
      book.end = try book.file.write(journalLine: line, known: known)
    }
    if isSynced { try storage.sync() }
  }
}

extension Descriptor {
  // Whether the first bytes are those of a journal, or all that a crash has left of them. Nothing is
  // written before they were seen: another file stays as it is.
  func beginsAsAJournal() throws(Fault) -> Bool {
    let mark = JournalEvent.mark
    var bytes = [UInt8](repeating: 0, count: mark.count)
    var filled = 0
    while filled < bytes.count {
      let count = try pread(into: &bytes, from: filled, at: UInt64(filled))
      if count == 0 { break }
      filled += count
    }
    let line = bytes[..<filled].prefix { $0 != 0x0A }
    return filled == 0 || (!line.isEmpty && mark.starts(with: line))
  }

  // Whole and synced.
  func append(journalLine line: [UInt8]) throws(Fault) {
    try write(journalLine: line)
    try sync()
  }

  // What a crash or a full disk has left of another line must not swallow it. `known` is where our own
  // last line ended: nothing to look at there. Returns where this one ends.
  @discardableResult
  fileprivate func write(journalLine line: [UInt8], known: UInt64? = nil) throws(Fault) -> UInt64? {
    let size = self.size
    let whole = try endsInsideALine(size, known) ? [0x0A] + line : line
    try writeAll(whole.span)
    return size.map { $0 + UInt64(whole.count) }
  }

  private func endsInsideALine(_ size: UInt64?, _ known: UInt64?) throws(Fault) -> Bool {
    guard let size, size > 0, size != known else { return false }
    var last: [UInt8] = [0]
    return try pread(into: &last, from: 0, at: size - 1) == 1 && last != [0x0A]
  }
}

enum JournalEvent: String, CaseIterable {
  case begin, upload, part, commit, end

  // What each line begins with.
  static let mark = Array(#"{"journal":"vault/1","event":""#.utf8)

  func line(token: String, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.add("journal", "vault/1")
    json.add("event", rawValue)
    json.add("token", token)
    body(&json)
    return json.finish() + [0x0A]
  }
}
