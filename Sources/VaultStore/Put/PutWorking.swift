internal import VaultFault
internal import VaultFrame
internal import VaultIO
internal import VaultRecord

// What the workers do.
extension PutEngine {
  func perform(_ job: PutState.Job) {
    guard let item = floor.withLock({ $0.item(for: job) }) else { return }
    switch job.work {
    case .part(let part): putPart(part, item)
    case .commit: close(item, conclude(item))
    case .undo: close(item, undo(item, item.fault ?? Fault(.internalFault, "nothing to undo")))
    }
  }

  private func putPart(_ part: PartData, _ item: ItemProgress) {
    guard let upload = item.upload, let (_, hints) = aim(item) else { return }
    do throws(StoreFault) {
      let receipt = try store.putPart(part, of: upload, hints, stop: item.stop)
      try permanently { () throws(Fault) in try state?.journal.part(item, receipt) }
      floor.withLock { state in
        state.items[item.order]?.receipts.append(receipt)
        state.counts.stored += part.size
      }
    } catch {
      floor.withLock { $0.items[item.order]?.fail(error.fault) }
    }
  }

  struct Conclusion: Sendable {
    var receipt: Receipt
    var fault: Fault?
    // The upload stays open, for a run that continues it.
    var isKept = false
  }

  private func conclude(_ item: ItemProgress) -> Conclusion {
    guard let ending = item.ending, let (name, hints) = aim(item) else {
      return undo(item, Fault(.internalFault, "nothing to commit"))
    }
    do throws(StoreFault) {
      try permanently { () throws(Fault) in
        try promiseReceipt(item, ending)
        try announceCommit(item, ending)
      }
      switch try commit(item, ending, name, hints) {
      case .stored(let landed, let creation):
        return prove(item, ending, name, hints, landed, creation)
      case .exists:
        return undo(item, taken(name, hints, ending))
      case .unknown(let fault):
        // A signal broke it off: the upload is taken back, and then a look tells.
        guard let upload = item.upload else { return unknown(item, ending, fault) }
        guard let end = floor.withLock({ $0.cancellation }) else {
          return unknown(item, ending, fault.doubting(upload))
        }
        return settle(item, ending, name, hints, end)
      }
    } catch {
      guard error.mayHaveHappened else { return undo(item, error.fault) }
      return settle(item, ending, name, hints, error.fault)
    }
  }

  private func announceCommit(_ item: ItemProgress, _ ending: Ending) throws(Fault) {
    let receipt = full(.unknown, item, ending)
    try note(item) { (journal) throws(Fault) in try journal.commit(item, receipt) }
  }

  private func commit(
    _ item: ItemProgress, _ ending: Ending, _ name: ObjectName, _ hints: ObjectHints
  ) throws(StoreFault) -> CommitAnswer {
    if let answer = try continued(item, ending, name, hints) { return answer }
    if let whole = ending.whole {
      let answer = try store.putWhole(whole, at: name, hints, stop: item.stop)
      if case .stored = answer { floor.withLock { $0.counts.stored += whole.size } }
      return answer
    }
    let parts = item.receipts.sorted { $0.number < $1.number }
    let total = parts.reduce(0) { $0 + $1.size }
    guard let upload = item.upload, parts.map(\.number) == Array(1...ending.parts),
      total == ending.summary.objectBytes
    else { throw StoreFault(Fault(.internalFault, "a part is missing")) }
    return try store.commit(upload, parts, hints, stop: item.stop)
  }

  // The answer was clear. Looking makes sure that the object is where others will look for it.
  private func look(
    _ item: ItemProgress, _ ending: Ending, _ name: ObjectName, _ hints: ObjectHints
  ) -> Proof {
    do throws(StoreFault) {
      return try store.prove(name, hints, size: ending.summary.objectBytes, stop: item.stop)
    } catch { return .cannotTell(error.fault) }
  }

  private func prove(
    _ item: ItemProgress, _ ending: Ending, _ name: ObjectName, _ hints: ObjectHints,
    _ landed: Landed, _ creation: Creation?
  ) -> Conclusion {
    let isEnough = settings.proof == .response && landed.repeatsDigest
    let proof = isEnough ? nil : look(item, ending, name, hints)
    var receipt = full(.stored, item, ending)
    receipt.create = creation?.rawValue
    receipt.etag = landed.etag.map(settings.redact)
    receipt.versionID = landed.versionID.map(settings.redact)
    switch proof {
    case .ours(let seen):
      receipt.proof = .head
      receipt.etag = receipt.etag ?? seen.etag.map(settings.redact)
      receipt.versionID = receipt.versionID ?? seen.versionID.map(settings.redact)
    case nil, .cannotTell: receipt.proof = .response
    case .other, .absent:
      let there = if case .other = proof { "something else lies" } else { "nothing lies" }
      let what = "\(quoted(name.shown)) was stored, but \(there) under its name"
      return unknown(item, ending, Fault(.remoteUnknown, what))
    }
    receipt.storedAt = Clock.iso8601(Clock.now().seconds)
    return Conclusion(receipt: receipt)
  }

  private func unknown(_ item: ItemProgress, _ ending: Ending, _ fault: Fault) -> Conclusion {
    var receipt = full(.unknown, item, ending)
    receipt.error = record(fault)
    return Conclusion(receipt: receipt, fault: fault)
  }

  // A commit was sent and not seen to happen: its upload is taken back, and then we look. What was
  // broken off without an answer may still happen on a server that is slow to assemble: that is
  // unknown, and stays in the journal for a sweep.
  private func settle(
    _ item: ItemProgress, _ ending: Ending, _ name: ObjectName, _ hints: ObjectHints, _ fault: Fault
  ) -> Conclusion {
    guard item.upload != nil else {
      return fault.kind == .cancelled ? unknown(item, ending, fault) : undo(item, fault)
    }
    var undone = undo(item, fault)
    guard !undone.isKept else { return undone }
    // A server that is slow to assemble may still prove us wrong: a sweep would look once more.
    undone.isKept = true
    do throws(StoreFault) {
      let size = ending.summary.objectBytes
      switch try store.prove(name, hints, size: size, stop: lastStop) {
      case .ours(let landed): return prove(item, ending, name, hints, landed, nil)
      case .absent where fault.kind == .cancelled:
        var open = unknown(item, ending, fault)
        open.isKept = true
        return open
      case .other, .absent: return undone
      case .cannotTell: return unknown(item, ending, fault)
      }
    } catch { return unknown(item, ending, fault) }
  }

  // Takes back what was begun. That is not given up when the item was: it has a flag of its own.
  // What could not be taken back stays open in the journal too, for a sweep.
  private func undo(_ item: ItemProgress, _ fault: Fault) -> Conclusion {
    var fault = fault
    var isKept = item.upload != nil && canResume(fault)
    do throws(StoreFault) {
      if !isKept { try takeBack(item) }
      // A request that was broken off may still be on its way: a sweep will look again.
      if item.mayBeOpen, fault.kind == .cancelled { isKept = true }
    } catch {
      isKept = true
      fault = fault.leaving(item.upload, error.fault)
    }
    var receipt = brief(Receipt.Status(ending: fault), item)
    receipt.error = record(fault)
    return Conclusion(receipt: receipt, fault: fault, isKept: isKept)
  }

  private func takeBack(_ item: ItemProgress) throws(StoreFault) {
    if let upload = item.upload {
      try store.abort(upload, stop: lastStop)
    } else if item.mayBeOpen, let (name, hints) = aim(item) {
      _ = try store.abortLost(name, hints, stop: lastStop)
    }
  }

  private func close(_ item: ItemProgress, _ conclusion: Conclusion) {
    // As it is now: what was noted meanwhile counts.
    let closing = floor.withLock { state in
      state.items[item.order]?.isPrinting = true
      state.items[item.order]?.conclusion = conclusion
      return state.items[item.order] ?? item
    }
    var fault = conclusion.fault
    var isTold = false
    do throws(Fault) { try print(conclusion, closing) } catch {
      isTold = tellUnprinted(conclusion.receipt, error)
      fault = fault ?? error
      refuse(error)
    }
    let isNoticed = floor.withLock { state in
      state.close(item.order, fault)
      return state.isBatch || state.cancellation != nil && fault?.leavesWork == true
    }
    if isNoticed, !isTold, let fault { settings.notice(fault) }
  }
}

extension PutState {
  // What is complete already may still be stored; the rest is not begun or not finished any more.
  mutating func failUnread(_ fault: Fault) {
    for (order, item) in items where item.ending == nil { fail(order, fault) }
  }
}
