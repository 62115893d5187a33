internal import Synchronization
public import VaultFault
public import VaultRecord

/// Judges rows and removes what all checks allow: one object a row, never on a doubt.
public final class Dropper: Sendable {
  /// What the user allowed.
  public struct Settings: Sendable {
    /// Remove; else only say what would be removed.
    public var removes = false
    /// Remove also where the store cannot make the removal depend on what was seen.
    public var acceptsRace = false
    /// When a failed request is made again.
    public var policy = RetryPolicy.standard

    /// Removes nothing.
    public init() {}
  }

  /// The store of a place, and the name in it.
  public typealias Opener = @Sendable (String) throws(Fault) -> (any Remover, ObjectName, String)

  private let settings: Settings
  private let open: Opener
  private let stop: StopFlag
  // Whether the store behind a place heeds conditions, once it is known.
  private let heeding = Mutex<[String: Bool]>([:])

  /// A dropper; `open` gives the remover of an address, its name there, and the place's own name.
  public init(_ settings: Settings, stop: StopFlag, open: @escaping Opener) {
    self.settings = settings
    self.open = open
    self.stop = stop
  }

  /// Does one row.
  public func answer(_ row: DropRow) -> (DropAnswer, Fault?) {
    do throws(Doubt) {
      try checkObject(row)
      guard let (facts, name, store, place) = try checkSource(row) else {
        return (DropAnswer(.gone, row, reason: "source-gone"), nil)
      }
      guard settings.removes else { return (DropAnswer(.wouldDrop, row), nil) }
      try checkHeeding(store, name, facts, place)
      return try remove(store, name, facts, row)
    } catch {
      let answer = DropAnswer(error.status, row, reason: error.reason, message: error.fault.reason)
      return (answer, error.fault)
    }
  }

  // The sealed object is there as it was recorded, or the row is about an object of ours itself.
  private func checkObject(_ row: DropRow) throws(Doubt) {
    guard let object = row.object else {
      guard row.item != nil else {
        throw Doubt(.badRow, "the row names neither a sealed object nor an item")
      }
      return
    }
    guard object != row.source else {
      throw Doubt(.badRow, "the sealed object is the source itself")
    }
    guard let size = row.objectBytes, let item = row.item else {
      throw Doubt(.badRow, "the row has no object_bytes or no item to compare")
    }
    let (store, name, _) = try doubting { () throws(Fault) in try open(object) }
    guard let facts = try facts(store, name) else {
      throw Doubt(.missingObject, "\(quoted(object)) is not there", "object-gone")
    }
    let isSame =
      facts.size == size && facts.item == item
      && (row.etag == nil || isSameTag(row.etag, facts.etag))
    guard isSame else {
      throw Doubt(.objectChanged, "\(quoted(object)) is not what was recorded", "object-changed")
    }
  }

  private func checkSource(
    _ row: DropRow
  ) throws(Doubt) -> (ObjectFacts, ObjectName, any Remover, String)? {
    let (store, name, place) = try doubting { () throws(Fault) in try open(row.source) }
    guard let facts = try facts(store, name) else { return nil }
    if row.object == nil {
      guard facts.item == row.item else {
        throw Doubt(.objectChanged, "\(quoted(row.source)) is not of that item", "source-changed")
      }
    } else if row.sourceETag == nil {
      throw Doubt(.badRow, "no ETag of the source is known, it may be another one now", "no-etag")
    }
    let isSame =
      (row.sourceETag == nil || isSameTag(row.sourceETag, facts.etag))
      && (row.sourceBytes == nil || row.sourceBytes == facts.size)
    guard isSame else {
      throw Doubt(
        .objectChanged, "\(quoted(row.source)) is not what was sealed any more", "source-changed")
    }
    return (facts, name, store, place)
  }

  private func checkHeeding(
    _ store: any Remover, _ name: ObjectName, _ facts: ObjectFacts, _ place: String
  ) throws(Doubt) {
    if settings.acceptsRace || facts.exactVersion != nil { return }
    let heeds = try heeding.withLock { (known) throws(Doubt) in
      if let heeds = known[place] { return heeds }
      let heeds = try trying { () throws(StoreFault) in
        try store.heedsConditions(near: name, stop: stop)
      }
      known[place] = heeds
      return heeds
    }
    guard heeds else {
      throw Doubt(
        .remoteRefused,
        "\(quoted(place)) removes objects whatever the condition says: see --accept-delete-race",
        "condition-ignored")
    }
  }
}

extension Dropper {
  // A lost answer is settled by looking: nothing there is gone, the same object is asked again.
  private func remove(
    _ store: any Remover, _ name: ObjectName, _ facts: ObjectFacts, _ row: DropRow
  ) throws(Doubt) -> (DropAnswer, Fault?) {
    var tries = Tries(settings.policy)
    while true {
      do throws(StoreFault) {
        switch try store.remove(name, facts, stop: stop) {
        case .removed: return (DropAnswer(.dropped, row), nil)
        case .absent: return (DropAnswer(.gone, row, reason: "source-gone"), nil)
        case .changed:
          throw StoreFault(
            Fault(.objectChanged, "\(quoted(row.source)) is not what was sealed any more"))
        }
      } catch {
        if error.fault.kind == .objectChanged { throw Doubt(error.fault, "source-changed") }
        let wasSent = error.mayHaveHappened || error.fault.kind == .cancelled
        do throws(StoreFault) { try tries.wait(after: error, stop) } catch {
          throw Doubt(error.fault, nil, wasSent ? .unknown : .kept)
        }
      }
    }
  }

  private func facts(_ store: any Remover, _ name: ObjectName) throws(Doubt) -> ObjectFacts? {
    try trying { () throws(StoreFault) in try store.facts(of: name, stop: stop) }
  }

  private func trying<Value>(_ call: () throws(StoreFault) -> Value) throws(Doubt) -> Value {
    var tries = Tries(settings.policy)
    while true {
      do throws(StoreFault) { return try call() } catch {
        do throws(StoreFault) { try tries.wait(after: error, stop) } catch {
          throw Doubt(error.fault, nil)
        }
      }
    }
  }

  private func doubting<Value>(_ call: () throws(Fault) -> Value) throws(Doubt) -> Value {
    do throws(Fault) { return try call() } catch { throw Doubt(error, nil) }
  }
}

/// Why something stays.
private struct Doubt: Error {
  let fault: Fault
  let reason: String
  let status: DropAnswer.Status

  init(_ fault: Fault, _ reason: String?, _ status: DropAnswer.Status = .kept) {
    self.fault = fault
    self.reason = reason ?? fault.kind.rawValue
    self.status = status
  }

  init(_ kind: FaultKind, _ words: String, _ reason: String? = nil) {
    self.init(Fault(kind, words), reason)
  }
}

// Some answers have a tag in quotes and others of the same server do not.
private func isSameTag(_ a: String?, _ b: String?) -> Bool {
  guard let a = a.map(bare), let b = b.map(bare) else { return false }
  return !a.isEmpty && a.elementsEqual(b)
}

private func bare(_ tag: String) -> [UInt8] {
  var bytes = Array(tag.utf8)
  if bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") {
    bytes = Array(bytes.dropFirst().dropLast())
  }
  return bytes
}
