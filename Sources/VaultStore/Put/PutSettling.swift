internal import VaultFault
internal import VaultIO
internal import VaultRecord

/// Items whose receipts are written and can still be lost.
struct Settling: Sendable {
  struct Closing: Sendable {
    let item: ItemProgress
    let conclusion: PutEngine.Conclusion
  }

  var due: [Closing] = []
  var isLast = false

  mutating func take() -> [Closing] {
    defer { due = [] }
    return due
  }
}

// How an item is closed: its receipt reaches stable storage, then the journal says that it ended. A
// sweep looks once more at what has no end, so that can wait a little, and many receipts share a sync.
extension PutEngine {
  func print(_ conclusion: Conclusion, _ item: ItemProgress) throws(Fault) {
    var item = item
    item.letGo()
    let closing = Settling.Closing(item: item, conclusion: conclusion)
    let promised = item.promised
    do throws(Fault) { try receipts.write(conclusion.receipt, promised: promised) } catch {
      try end(closing, isPrinted: false)
      throw error
    }
    guard receipts.keeps else { return try end(closing, isPrinted: true) }
    settling.withLock { $0.due.append(closing) }
  }

  // Runs on a thread of its own, until `isLast`.
  func settleReceipts() {
    while settling.wait(for: { $0.isLast ? false : $0.due.isEmpty ? nil : true }) == true {
      let pause = Clock.deadline(inMilliseconds: 20)
      _ = settling.wait(until: pause) { $0.isLast ? () : nil }
      settleDue()
    }
    settleDue()
  }

  private func settleDue() {
    let due = settling.withLock { $0.take() }
    guard !due.isEmpty else { return }
    let unsynced = Result { () throws(Fault) in try receipts.sync() }.failure
    var failure = unsynced
    for closing in due {
      if let unsynced { _ = tellUnprinted(closing.conclusion.receipt, unsynced) }
      do throws(Fault) { try end(closing, isPrinted: unsynced == nil) } catch {
        failure = failure ?? error
      }
    }
    if let failure { refuse(failure) }
  }

  // A receipt that cannot be printed is in the journal, if there is one.
  private func end(_ closing: Settling.Closing, isPrinted: Bool) throws(Fault) {
    let (item, receipt) = (closing.item, closing.conclusion.receipt)
    guard !closing.conclusion.isKept, item.isJournaled || !isPrinted else { return }
    try note(item) { (journal) throws(Fault) in
      try journal.end(item, receipt.status.rawValue, unprinted: isPrinted ? nil : receipt)
    }
  }

  // Where receipts do not arrive, nothing more is begun.
  func refuse(_ fault: Fault) {
    floor.withLock { state in
      if state.receiptFault == nil, state.cancellation == nil { state.receiptFault = fault }
      state.failUnread(fault)
    }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
