internal import VaultDigest
internal import VaultFault
internal import VaultFrame
internal import VaultIO
internal import VaultText

// What the reader asks of the engine.
extension PutEngine {
  // No further item makes sense.
  var refusesAll: Bool {
    floor.withLock { $0.cancellation != nil || $0.receiptFault != nil }
  }

  func open(_ order: Int) throws(Fault) {
    let token = hex(try Entropy.bytes(16))
    try floor.withLock { (state) throws(Fault) in
      if let refusal = state.refusal { throw refusal }
      state.items[order] = ItemProgress(order: order, token: token, below: stop)
    }
  }

  // Throws what a worker has found wrong with the item that is being read.
  func check(_ order: Int) throws(Fault) {
    try floor.withLock { (state) throws(Fault) in
      if let fault = state.items[order]?.fault ?? state.refusal { throw fault }
    }
  }

  func note(_ order: Int, _ label: Label) throws(Fault) {
    let row: [UInt8]?
    if let bytes = label.row { row = try publicLine(bytes) } else { row = nil }
    floor.withLock { state in
      state.items[order]?.item = label.item.text
      state.items[order]?.row = row
      if let bytes = label.bytes { state.counts.expect(bytes) }
    }
  }

  // The envelope has come: now it is known what the object is and where it goes.
  func name(_ order: Int, _ facts: SealedFacts, _ label: Label?) throws(Fault) {
    if let label, label.item != facts.item {
      throw Fault(.otherObject, "the label belongs to another item than the object")
    }
    let name = try settings.destination.name(item: facts.item.text, target: label?.target)
    let envelope = try detachedEnvelope(facts, label)
    try adopt(order, name, facts.body.text)
    try floor.withLock { (state) throws(Fault) in
      if state.isTaken(name) { throw PutEngine.sameName(name) }
      state.items[order]?.item = facts.item.text
      state.items[order]?.name = name
      state.items[order]?.home = store.home(of: name)
      state.items[order]?.body = facts.body.text
      state.items[order]?.envelope = envelope
    }
    try promiseReceipt(order, facts, label)
  }

  private static func sameName(_ name: ObjectName) -> Fault {
    Fault(
      .exists, "cannot store \(quoted(name.shown)): an earlier item of this input goes there",
      hint: "{item} or {target} in the destination keeps them apart")
  }

  // Slots that live elsewhere must be on record before the first byte of their object is sent.
  private func detachedEnvelope(
    _ facts: SealedFacts, _ label: Label?
  ) throws(Fault) -> [UInt8]? {
    guard facts.isDetached else { return nil }
    guard journal != nil else {
      throw Fault(
        .usage, "an object with a detached envelope needs a journal", hint: "use --journal FILE")
    }
    guard let envelope = label?.envelope else {
      throw Fault(.badText, "the object's envelope is detached, and its label has none")
    }
    return envelope
  }

  // A second part comes: opens the upload, before more is read.
  func begin(_ order: Int) throws(Fault) {
    guard let item = floor.withLock({ $0.items[order] }), let (name, hints) = aim(item) else {
      throw Fault(.internalFault, "a second part before the envelope")
    }
    floor.withLock { $0.items[order]?.pending += 1 }
    defer { floor.withLock { $0.settle(order) } }
    do throws(StoreFault) {
      if let upload = try reopen(item, name, hints) {
        floor.withLock { $0.items[order]?.upload = upload }
      } else if floor.withLock({ $0.items[order]?.isThere }) != true {
        try open(item, name, hints)
      }
    } catch {
      floor.withLock { $0.items[order]?.fail(error.fault) }
      throw error.fault
    }
  }

  private func open(
    _ item: ItemProgress, _ name: ObjectName, _ hints: ObjectHints
  ) throws(StoreFault) {
    try permanently { () throws(Fault) in
      try note(item) { (journal) throws(Fault) in
        try journal.begin(item, body: item.body ?? "", envelope: item.envelope)
      }
    }
    let upload: UploadName
    do throws(StoreFault) {
      upload = try store.begin(at: name, hints, stop: item.stop)
    } catch {
      floor.withLock { $0.items[item.order]?.mayBeOpen = error.mayHaveHappened }
      throw error
    }
    floor.withLock { $0.items[item.order]?.upload = upload }
    try permanently { () throws(Fault) in
      try note(item) { (journal) throws(Fault) in try journal.upload(item, upload) }
    }
  }

  // Writes to the journal and to the state file, whichever there is.
  func note(
    _ item: ItemProgress, _ write: (Journal) throws(Fault) -> Void
  ) throws(Fault) {
    floor.withLock { $0.items[item.order]?.isJournaled = true }
    if let journal { try write(journal) }
    if let state { try write(state.journal) }
  }

  // Hands a part to the workers, once they are not too far behind.
  func put(_ part: PartData, _ order: Int) throws(Fault) {
    if try skips(part, order) { return }
    try awaitRoom(order)
    floor.withLock { $0.add(PutState.Job(order: order, work: .part(part))) }
  }

  func end(_ order: Int, _ ending: Ending) throws(Fault) {
    try awaitRoom(order)
    floor.withLock { state in
      state.items[order]?.end(ending)
      state.advance(order)
      state.markRead(order)
    }
  }

  func fail(_ order: Int, _ fault: Fault) {
    floor.withLock { state in
      state.fail(order, fault)
      state.markRead(order)
    }
  }

  private func awaitRoom(_ order: Int) throws(Fault) {
    let jobs = settings.jobs
    let fault = floor.wait { (state) -> Fault?? in
      if let fault = state.items[order]?.fault ?? state.refusal { return .some(fault) }
      return state.load <= jobs ? .some(nil) : nil
    }
    if let fault, let fault { throw fault }
  }

  // The memory is used up. Workers that are all busy will give some back, and faster than a disk
  // could take it; idle ones wait for this very part, so it goes to a file.
  func awaitMemory(_ order: Int) throws(Fault) -> Bool {
    let jobs = settings.jobs
    let seen = floor.withLock { $0.finishedJobs }
    let answer = floor.wait { (state) -> Result<Bool, Fault>? in
      if let fault = state.items[order]?.fault ?? state.refusal { return .failure(fault) }
      if state.finishedJobs != seen { return .success(true) }
      return state.load < jobs ? .success(false) : nil
    }
    return try answer?.get() ?? false
  }

  func aim(_ item: ItemProgress) -> (ObjectName, ObjectHints)? {
    guard let name = item.name, let id = item.item else { return nil }
    let hints = ObjectHints(
      item: id, token: item.token, overwrite: settings.overwrite, headers: settings.headers,
      checksum: settings.checksum)
    return (name, hints)
  }
}
