public import VaultFault
public import VaultIO
internal import VaultRecord
internal import VaultText

/// The state file of `vault-put --state`: a journal of one item that also names the parts that were
/// acknowledged, so that a second run with the same input continues the upload.
///
/// It is a hint only. What counts is what the store lists, and the bytes that come.
public final class ResumeState: Sendable {
  /// The file, as the journal that it is.
  public let journal: Journal
  let entry: JournalEntry?

  /// Opens the file, or makes it, and keeps every other run away from it.
  ///
  /// - Throws: `cannot-create` for a file that holds something else, which is left as it is;
  ///   `bad-receipt` if a line of it is none of a state file; `write-failed` while another run has it.
  public init(_ path: Path) throws(Fault) {
    journal = try Journal(path, exclusively: true)
    entry = try JournalReader(try File.read(path, limit: 1 << 30), of: path.quoted).entries.last
  }
}

// Going on where an earlier run stopped.
extension PutEngine {
  // The item is known: takes over token and receipt of the earlier run, if it is the same item.
  func adopt(_ order: Int, _ name: ObjectName, _ body: String) throws(Fault) {
    guard let state else { return }
    guard !floor.withLock({ $0.isBatch }) else {
      throw Fault(.usage, "a batch cannot be continued by a state file", hint: "use --done")
    }
    guard let entry = state.entry else { return }
    guard entry.body == body, entry.object.map({ $0.utf8.elementsEqual(name.shown.utf8) }) == true
    else { throw PutEngine.otherBytes }
    try entry.check(store, name)
    floor.withLock { $0.items[order]?.token = entry.token }
  }

  // Finds what the earlier run has left: nothing, an open upload with parts, or the whole object.
  func reopen(_ item: ItemProgress, _ name: ObjectName, _ hints: ObjectHints) throws(StoreFault)
    -> UploadName?
  {
    guard let entry = state?.entry else { return nil }
    if try isThere(entry, name, hints, item.stop) {
      floor.withLock { $0.items[item.order]?.isThere = true }
      return nil
    }
    guard !entry.isSettled else { return nil }
    guard let id = entry.upload else {
      try forgetLost(name, hints, item.stop)
      return nil
    }
    let upload = UploadName(object: name, id: id)
    do throws(StoreFault) {
      let listed = try store.listParts(upload, stop: item.stop)
      let kept = entry.parts.filter { _, part in listed.contains { $0.isSame(as: part) } }
      floor.withLock { $0.items[item.order]?.kept = kept }
      return upload
    } catch {
      if error.fault.kind != .missingObject, error.remedy != .impossible { throw error }
      try store.abort(upload, stop: item.stop)
      return nil
    }
  }

  // Of an upload whose id was lost. Where it cannot be told from a stranger's it stays.
  private func forgetLost(
    _ name: ObjectName, _ hints: ObjectHints, _ stop: StopFlag
  ) throws(StoreFault) {
    do { _ = try store.abortLost(name, hints, stop: stop) } catch {
      if error.fault.kind != .remoteUnknown, error.fault.kind != .remoteDenied { throw error }
    }
  }

  func isThere(
    _ entry: JournalEntry, _ name: ObjectName, _ hints: ObjectHints, _ stop: StopFlag
  ) throws(StoreFault) -> Bool {
    guard let size = entry.receipt?.objectBytes else { return false }
    if case .ours = try store.prove(name, hints, size: size, stop: stop) { return true }
    return false
  }

  // True when the part need not be sent; throws when the earlier run had other bytes there.
  func skips(_ part: PartData, _ order: Int) throws(Fault) -> Bool {
    guard let item = floor.withLock({ $0.items[order] }) else { return false }
    let known = PartReceipt(number: part.number, size: part.size, etag: "", sha256: part.sha256)
    // What an earlier run has sent is known by its digest alone.
    let earlier = part.sha256 == nil ? nil : item.kept[part.number]
    guard let kept = item.isThere ? known : earlier else { return false }
    guard kept.sha256 == part.sha256, kept.size == part.size else { throw PutEngine.otherBytes }
    floor.withLock { state in
      state.items[order]?.receipts.append(kept)
      state.counts.stored += part.size
    }
    return true
  }

  // The earlier run has stored it all; that the bytes are the same is known now.
  func continued(
    _ item: ItemProgress, _ ending: Ending, _ name: ObjectName, _ hints: ObjectHints
  ) throws(StoreFault) -> CommitAnswer? {
    guard let entry = state?.entry, let receipt = entry.receipt else { return nil }
    guard receipt.sha256 == hex(ending.sha256) else { throw StoreFault(PutEngine.otherBytes) }
    if item.isThere { return .stored(Landed(), nil) }
    return try isThere(entry, name, hints, item.stop) ? .stored(Landed(), nil) : nil
  }

  // A run that may be continued leaves its upload open.
  func canResume(_ fault: Fault) -> Bool {
    guard state != nil else { return false }
    switch fault.kind {
    case .cancelled, .incomplete, .aborted, .commandFailed, .remoteFailed, .remoteTimeout,
      .remoteDenied, .noCredentials, .readFailed, .writeFailed:
      return true
    default: return false
    }
  }

  static let otherBytes = Fault(
    .otherObject, "the state file belongs to another object than has come",
    hint: "use a state file of its own for each object")
}

extension PartReceipt {
  fileprivate func isSame(as other: PartReceipt) -> Bool {
    number == other.number && size == other.size && etag.utf8.elementsEqual(other.etag.utf8)
      && (sha256 == nil || sha256 == other.sha256)
  }
}
