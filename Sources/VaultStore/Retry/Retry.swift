internal import VaultFault

/// Any store, with failed calls tried again as the policy says; the one place where that is decided.
///
/// A commit whose answer is unclear is settled by looking: ours is stored, nothing there is tried
/// again, another's is `exists`, and what cannot be told is ``CommitAnswer/unknown(_:)``. So is, when
/// the tries are used up, what was sent and never answered: the remote may be at work on it still,
/// and that nothing is there yet proves nothing.
public struct Retry: Store {
  private let base: any Store
  private let policy: RetryPolicy

  /// Wraps a store.
  public init(_ base: any Store, _ policy: RetryPolicy) {
    self.base = base
    self.policy = policy
  }

  /// As the store's own.
  public var needsPartDigests: Bool { base.needsPartDigests }

  /// As the store's own.
  public func home(of name: ObjectName) -> String? { base.home(of: name) }

  /// As the store's own; settled when in doubt.
  public func putWhole(
    _ part: PartData, at name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> CommitAnswer {
    try settled(name, hints, size: part.size, stop) { () throws(StoreFault) in
      try base.putWhole(part, at: name, hints, stop: stop)
    }
  }

  /// As the store's own. A try whose answer was lost may have opened an upload that has no name here:
  /// once another one is open it is looked for, and taken back where it is surely ours.
  public func begin(
    at name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> UploadName {
    var mayBeOpen = false
    let upload = try again(stop) { () throws(StoreFault) in
      do throws(StoreFault) { return try base.begin(at: name, hints, stop: stop) } catch {
        mayBeOpen = mayBeOpen || error.mayHaveHappened
        throw error
      }
    }
    if mayBeOpen { takeBackOthers(than: upload, hints, stop) }
    return upload
  }

  // The store names only what can be told from a stranger's; what it does not name stays.
  private func takeBackOthers(
    than upload: UploadName, _ hints: ObjectHints, _ stop: StopFlag
  ) {
    guard let open = try? openUploads(of: upload.object, hints, stop: stop) else { return }
    for other in open where other.id != upload.id { _ = try? abort(other, stop: stop) }
  }

  /// As the store's own; each try sends the same bytes.
  public func putPart(
    _ part: PartData, of upload: UploadName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> PartReceipt {
    try again(stop) { () throws(StoreFault) in
      try base.putPart(part, of: upload, hints, stop: stop)
    }
  }

  /// As the store's own; settled when in doubt.
  public func commit(
    _ upload: UploadName, _ parts: [PartReceipt], _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> CommitAnswer {
    let size = parts.reduce(0) { $0 + $1.size }
    // A completion that was refused leaves an upload that nobody can use, whosever the object is.
    let takeBack = { _ = try? abort(upload, stop: stop) }
    return try settled(upload.object, hints, size: size, stop, refused: takeBack) {
      () throws(StoreFault) in try base.commit(upload, parts, hints, stop: stop)
    }
  }

  /// As the store's own, until it is gone or the tries are used up.
  public func abort(_ upload: UploadName, stop: StopFlag) throws(StoreFault) {
    try again(stop) { () throws(StoreFault) in try base.abort(upload, stop: stop) }
  }

  /// As the store's own.
  public func prove(
    _ name: ObjectName, _ hints: ObjectHints, size: UInt64, stop: StopFlag
  ) throws(StoreFault) -> Proof {
    try again(stop) { () throws(StoreFault) in
      try base.prove(name, hints, size: size, stop: stop)
    }
  }

  /// As the store's own.
  public func listParts(_ upload: UploadName, stop: StopFlag) throws(StoreFault) -> [PartReceipt] {
    try again(stop) { () throws(StoreFault) in try base.listParts(upload, stop: stop) }
  }

  /// As the store's own.
  public func openUploads(
    of name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> [UploadName] {
    try again(stop) { () throws(StoreFault) in
      try base.openUploads(of: name, hints, stop: stop)
    }
  }

  private func again<Value>(
    _ stop: StopFlag, _ call: () throws(StoreFault) -> Value
  ) throws(StoreFault) -> Value {
    var tries = Tries(policy)
    while true {
      do { return try call() } catch { try tries.wait(after: error, stop) }
    }
  }

  private func settled(
    _ name: ObjectName, _ hints: ObjectHints, size: UInt64, _ stop: StopFlag,
    refused: () -> Void = {}, _ call: () throws(StoreFault) -> CommitAnswer
  ) throws(StoreFault) -> CommitAnswer {
    var tries = Tries(policy)
    var mayStillHappen = false
    while true {
      do {
        let answer = try call()
        guard case .exists = answer else { return answer }
        let proof = look(name, hints, size, stop)
        if case .cannotTell = proof { refused() }
        return proof.taken(name)
      } catch {
        if error.mayHaveHappened {
          let seen = look(name, hints, size, stop)
          if let answer = seen.afterDoubt(name, hints) { return answer }
          mayStillHappen = mayStillHappen || error.mayStillHappen || !seen.isAbsent
        }
        do { try tries.wait(after: error, stop) } catch {
          guard mayStillHappen else { throw error }
          return .unknown(unclear(name, error.fault.reason))
        }
      }
    }
  }

  // Also when the flag is raised: what was sent has happened or not, and the receipt must say which.
  private func look(
    _ name: ObjectName, _ hints: ObjectHints, _ size: UInt64, _ stop: StopFlag
  ) -> Proof {
    do throws(StoreFault) {
      return try prove(name, hints, size: size, stop: stop)
    } catch {
      return stop.isRaised ? lookOnce(name, hints, size) : .cannotTell(error.fault)
    }
  }

  private func lookOnce(_ name: ObjectName, _ hints: ObjectHints, _ size: UInt64) -> Proof {
    do throws(StoreFault) {
      return try base.prove(name, hints, size: size, stop: StopFlag(inMilliseconds: 5000))
    } catch {
      return .cannotTell(error.fault)
    }
  }
}

extension Proof {
  // What an answer of "the name is taken" comes to: it may have been our own first try.
  func taken(_ name: ObjectName) -> CommitAnswer {
    switch self {
    case .ours(let landed): .stored(landed, nil)
    case .other: .exists
    case .absent: .unknown(unclear(name, "the name was taken, and now nothing is there"))
    case .cannotTell(let fault): .unknown(unclear(name, fault.reason))
    }
  }

  // What a lost answer comes to; nil: it has not happened, the call may be made again.
  func afterDoubt(_ name: ObjectName, _ hints: ObjectHints) -> CommitAnswer? {
    switch self {
    case .ours(let landed): .stored(landed, nil)
    case .other: hints.overwrite ? nil : .exists
    case .absent: nil
    case .cannotTell(let fault): .unknown(unclear(name, fault.reason))
    }
  }

  var isAbsent: Bool { if case .absent = self { true } else { false } }
}

private func unclear(_ name: ObjectName, _ reason: String) -> Fault {
  Fault(.remoteUnknown, "\(quoted(name.shown)) may be stored or not: \(reason)")
}
