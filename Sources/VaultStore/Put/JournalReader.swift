internal import VaultFault
internal import VaultRecord
internal import VaultText

/// What a journal says of one attempt.
struct JournalEntry {
  var item: String?
  var object: String?
  var home: String?
  let token: String
  // An upload was about to be opened.
  var hasBegun = false
  var upload: String?
  // The receipt as it would have been.
  var receipt: Receipt?
  var status: String?
  var body: String?
  // Parts that were acknowledged, in a state file.
  var parts: [Int: PartReceipt] = [:]

  // It is stored, and nobody took the receipt that says so.
  var lacksReceipt = false

  // Nothing of it is known to be left.
  var isSettled: Bool {
    status != nil && status != Receipt.Status.unknown.rawValue && !lacksReceipt
  }
}

/// Reads a journal; a line without its end is what a crash or a full disk left, and is passed over:
/// what it would have announced was not done.
struct JournalReader {
  private(set) var entries: [JournalEntry] = []
  private var places: [String: Int] = [:]

  /// Takes all of a file; `name` is what messages call it.
  init(_ bytes: [UInt8], of name: String) throws(Fault) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    _ = lines.popLast()
    for (number, line) in lines.enumerated() {
      do { try read(Array(line)) } catch {
        throw Fault(.badReceipt, "line \(number + 1) of journal \(name): \(error.reason)")
      }
    }
  }

  private mutating func read(_ line: [UInt8]) throws(Fault) {
    let value: JSONValue
    do { value = try JSONReader.read(line) } catch {
      if error.offset == line.count { return }
      throw Fault(.badReceipt, error.reason)
    }
    guard value["journal"]?.string == "vault/1", let token = value["token"]?.string,
      let event = value["event"]?.string.flatMap(JournalEvent.init(rawValue:))
    else { throw Fault(.badReceipt, "not of a journal") }
    let place = places[token] ?? entries.count
    if place == entries.count { entries.append(JournalEntry(token: token)) }
    places[token] = place
    try entries[place].add(event, value, line)
  }
}

extension JournalEntry {
  // Nothing is found, and so nothing settled, where the object never was.
  func check(_ store: any Store, _ name: ObjectName) throws(Fault) {
    let here = store.home(of: name)
    guard let home, home != here else { return }
    throw Fault(
      .badConfiguration,
      "\(quoted(name.shown)) was begun at \(quoted(home)), which is not here",
      hint: "run it with the endpoint, or in the directory, of then")
  }
}

extension JournalEntry {
  fileprivate mutating func add(
    _ event: JournalEvent, _ value: JSONValue, _ line: [UInt8]
  ) throws(Fault) {
    if event != .end { status = nil }
    home = value["home"]?.string ?? home
    switch event {
    case .begin:
      hasBegun = true
      (item, object) = (value["item"]?.string, value["object"]?.string)
      body = value["body"]?.string
    case .upload:
      upload = value["upload"]?.string
      parts = [:]
    case .part: try addPart(value)
    case .commit:
      guard let raw = value["receipt"] else { throw Fault(.badReceipt, "no receipt") }
      let receipt = try Receipt(line: Array(line[raw.span]))
      self.receipt = receipt
      (item, object, body) = (receipt.item, receipt.object, receipt.body)
    case .end:
      status = value["status"]?.string
      lacksReceipt = value["receipt"] != nil && status == Receipt.Status.stored.rawValue
    }
  }

  private mutating func addPart(_ value: JSONValue) throws(Fault) {
    let sha256 = value["sha256"]?.string.flatMap { bytes(hex: $0) }
    guard let number = value["number"]?.natural.flatMap({ Int(exactly: $0) }),
      let size = value["bytes"]?.natural, let etag = value["etag"]?.string,
      (sha256 == nil) == (value["sha256"] == nil)
    else { throw Fault(.badReceipt, "no part") }
    parts[number] = PartReceipt(number: number, size: size, etag: etag, sha256: sha256)
  }
}
