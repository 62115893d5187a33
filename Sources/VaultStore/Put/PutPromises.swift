internal import VaultFault
internal import VaultFrame
internal import VaultIO
internal import VaultRecord

// No object without a receipt: room for it is found before, and what was stored all the same is told.
extension PutEngine {
  // What the store may add: tags, a version, times.
  private static let margin: UInt64 = 1_024

  // Before the first byte is stored: as far as the receipt is known.
  func promiseReceipt(_ order: Int, _ facts: SealedFacts, _ label: Label?) throws(Fault) {
    guard let item = floor.withLock({ $0.items[order] }) else { return }
    var receipt = brief(.stored, item)
    receipt.body = facts.body.text
    receipt.envelope = String(decoding: item.envelope ?? facts.envelope, as: UTF8.self)
    receipt.name = label?.description.name.map { String(decoding: $0, as: UTF8.self) }
    try promise(receipt, item)
  }

  // Before the commit: all but what the store will say.
  func promiseReceipt(_ item: ItemProgress, _ ending: Ending) throws(Fault) {
    try promise(full(.stored, item, ending), item)
  }

  private func promise(_ receipt: Receipt, _ item: ItemProgress) throws(Fault) {
    let wanted = UInt64(receipt.line.count) + PutEngine.margin
    let more = wanted > item.promised ? wanted - item.promised : 0
    try receipts.promise(more)
    floor.withLock { $0.items[item.order]?.promised += more }
  }

  // Says which object is there, or may be, though no receipt says so; false: there is none.
  func tellUnprinted(_ receipt: Receipt, _ fault: Fault) -> Bool {
    guard receipt.status == .stored || receipt.status == .unknown, let object = receipt.object,
      let item = receipt.item
    else { return false }
    let stored = receipt.status == .stored ? "is stored" : "may be stored"
    settings.notice(
      Fault(
        fault.kind,
        "\(quoted(object)), item \(item), \(stored) and has no receipt: \(fault.reason)",
        hint: hint(receipt)))
    return true
  }

  // The same command again, after a receipt was lost, ends here.
  func taken(_ name: ObjectName, _ hints: ObjectHints, _ ending: Ending) -> Fault {
    let other = ObjectHints(item: hints.item, token: "")
    let size = ending.summary.objectBytes
    var isSame = false
    if settings.destination.place == .files,
      case .ours? = try? store.prove(name, other, size: size, stop: lastStop)
    {
      isSame = true
    }
    let earlier = journal.map { "vault-put --sweep \($0.name) prints a receipt that was lost" }
    return Fault(
      .exists,
      "cannot store \(quoted(name.shown)): it exists already"
        + (isSame ? ", of the same item" : ""),
      hint: earlier ?? "nothing was changed; vault-open --inspect shows what is there")
  }

  private func hint(_ receipt: Receipt) -> String {
    if let journal { return "vault-put --sweep \(journal.name) prints it" }
    if let state { return "the same command with --state \(state.journal.name) prints it" }
    var receipt = receipt
    // A row may be long, and is the caller's own.
    if receipt.line.count > 4_096 { receipt.row = nil }
    return "the receipt is \(String(decoding: receipt.line, as: UTF8.self))"
  }

  // After a signal: receipts that are stuck in a pipe which nobody reads.
  func tellStuck() {
    let stuck = floor.withLock { state in
      state.items.values.filter { $0.isPrinting && !$0.isOver }.compactMap(\.conclusion)
    }
    for conclusion in stuck {
      _ = tellUnprinted(conclusion.receipt, Fault(.writeFailed, "nobody takes the receipts"))
    }
  }
}
