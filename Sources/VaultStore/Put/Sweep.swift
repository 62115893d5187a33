public import VaultFault
public import VaultIO
internal import VaultRecord
internal import VaultText

/// Cleans up after a crash: what the journal names as begun and not ended, and nothing else.
public struct Sweep: ~Copyable {
  /// What was done.
  public struct Counts: Equatable, Sendable {
    /// Objects that were found whole; their receipts were printed.
    public var recovered = 0
    /// Uploads and temporary files that are known to be gone now.
    public var removed = 0
    /// Attempts of which nothing was left.
    public var nothing = 0
  }

  private let path: Path
  private let receipts: ReceiptOutput
  private let storeFor: (Destination.Place) throws(Fault) -> any Store

  /// A sweep of the journal at `path`; receipts of recovered objects go to `receipts`.
  public init(
    _ path: Path, receipts: ReceiptOutput,
    storeFor: @escaping (Destination.Place) throws(Fault) -> any Store
  ) {
    self.path = path
    self.receipts = receipts
    self.storeFor = storeFor
  }

  /// Sweeps, and notes in the journal what it has settled.
  ///
  /// - Throws: `read-failed` if it is not there: nothing is made; `bad-receipt` if it is not a journal;
  ///   `write-failed` while a put is using it, or when receipts cannot be written; else the first fault
  ///   of an entry, after all others were tried.
  public func run() throws(Fault) -> Counts {
    let file = try File.openExistingForAppending(path)
    guard file.kind == .regular, try file.beginsAsAJournal() else {
      throw Fault(.badReceipt, "\(path.quoted) is not a journal")
    }
    try file.lock(exclusively: true)
    let journal = try JournalReader(try File.read(path, limit: 1 << 30), of: path.quoted)
    if journal.entries.contains(where: { !$0.isSettled }) { try receipts.promise() }
    var counts = Counts()
    var first: Fault?
    for entry in journal.entries where !entry.isSettled {
      do throws(Fault) {
        let status = try settle(entry, &counts)
        let line = JournalEvent.end.line(token: entry.token) { $0.add("status", status) }
        try file.append(journalLine: line)
      } catch { first = first ?? error }
    }
    if let first { throw first }
    return counts
  }

  private func settle(_ entry: JournalEntry, _ counts: inout Counts) throws(Fault) -> String {
    guard let shown = entry.object, let item = entry.item else {
      counts.nothing += 1
      return "nothing"
    }
    let (place, name) = Destination.place(ofShown: shown)
    let store = try storeFor(place)
    try entry.check(store, name)
    let hints = ObjectHints(item: item, token: entry.token)
    do throws(StoreFault) {
      var landed = try find(entry, name, hints, store)
      let isRemoved = try remove(entry, name, hints, store)
      // A commit that was on its way may have come to its end before the abort.
      if landed == nil { landed = try find(entry, name, hints, store) }
      if let landed {
        try print(entry, landed)
        counts.recovered += 1
        return Receipt.Status.stored.rawValue
      }
      if isRemoved { counts.removed += 1 } else { counts.nothing += 1 }
      return isRemoved ? "removed" : "nothing"
    } catch { throw error.fault }
  }

  // What is open under the id that the journal has, or of an attempt whose id it never got.
  private func remove(
    _ entry: JournalEntry, _ name: ObjectName, _ hints: ObjectHints, _ store: any Store
  ) throws(StoreFault) -> Bool {
    guard let upload = entry.upload else {
      guard entry.hasBegun || store is DirectoryStore else { return false }
      return try store.abortLost(name, hints, stop: StopFlag()) > 0
    }
    try store.abort(UploadName(object: name, id: upload), stop: StopFlag())
    return true
  }

  // Only what was about to be committed can be there.
  private func find(
    _ entry: JournalEntry, _ name: ObjectName, _ hints: ObjectHints, _ store: any Store
  ) throws(StoreFault) -> Landed? {
    guard let size = entry.receipt?.objectBytes else { return nil }
    switch try store.prove(name, hints, size: size, stop: StopFlag()) {
    case .ours(let landed): return landed
    case .other, .absent: return nil
    case .cannotTell(let fault): throw StoreFault(fault)
    }
  }

  private func print(_ entry: JournalEntry, _ landed: Landed) throws(StoreFault) {
    guard var receipt = entry.receipt else { return }
    receipt.status = .stored
    receipt.recovered = true
    receipt.proof = .head
    receipt.etag = landed.etag
    receipt.versionID = landed.versionID
    receipt.storedAt = Clock.iso8601(Clock.now().seconds)
    let whole = receipt
    try permanently { () throws(Fault) in try receipts.print(whole) }
  }
}

extension Destination {
  // Where an object is that a receipt shows.
  static func place(ofShown shown: String) -> (Place, ObjectName) {
    guard let rest = shown.droppingPrefix("s3://"),
      let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/"))
    else { return (.files, ObjectName(key: shown, shown: shown)) }
    let key = String(rest[slash...].dropFirst())
    return (.bucket(String(rest[..<slash])), ObjectName(key: key, shown: shown))
  }
}
