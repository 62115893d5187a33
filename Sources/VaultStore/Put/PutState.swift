internal import VaultFault

/// What the reader, the workers and the main thread share.
struct PutState: Sendable {
  struct Job: Sendable {
    enum Work: Sendable { case part(PartData), commit, undo }
    let order: Int
    let work: Work
  }

  enum Order: Sendable { case work(Job), goHome }

  var items: [Int: ItemProgress] = [:]
  var counts = PutCounts()
  var isBatch = false
  var readerIsDone = false
  var isClosed = false
  var cancellation: Fault?
  var receiptFault: Fault?
  var streamFault: Fault?
  private(set) var firstBad: (order: Int, fault: Fault)?
  private(set) var finishedJobs = 0
  // Whether objects may be replaced; then the names that this run has filled, as hashes of them.
  var overwrites = false
  private var filled: Set<Int> = []
  private var queue: [Job] = []
  private var running = 0

  // Jobs that hold a part or end an item.
  var load: Int { queue.count + running }

  // Why nothing more should be read, if so.
  var refusal: Fault? { cancellation ?? receiptFault ?? (isBatch ? nil : firstBad?.fault) }

  var isOver: Bool {
    guard load == 0, items.values.allSatisfy(\.isOver) else { return false }
    return readerIsDone || refusal != nil
  }

  // Every worker waits for whoever reads our receipts.
  var waitsForReceiptsOnly: Bool {
    let printing = items.values.count { $0.isPrinting && !$0.isOver }
    return printing > 0 && printing >= running
  }

  mutating func add(_ job: Job) {
    items[job.order]?.pending += 1
    queue.append(job)
  }

  mutating func nextOrder() -> Order? {
    while !queue.isEmpty {
      let job = queue.removeFirst()
      // Parts of an item that failed are not worth a call any more.
      if case .part = job.work, items[job.order]?.fault != nil {
        settle(job.order)
        continue
      }
      running += 1
      return .work(job)
    }
    return isClosed ? .goHome : nil
  }

  mutating func finish(_ job: Job) {
    running -= 1
    finishedJobs += 1
    if case .part = job.work { settle(job.order) }
  }

  // The item as a job sees it. A copy that held the receipts would have them copied at each append.
  func item(for job: Job) -> ItemProgress? {
    var item = items[job.order]
    if case .part = job.work { item?.receipts = [] }
    return item
  }

  // One call for the item is done.
  mutating func settle(_ order: Int) {
    items[order]?.pending -= 1
    advance(order)
  }

  mutating func advance(_ order: Int) {
    guard let step = items[order]?.next() else { return }
    queue.append(Job(order: order, work: step == .commit ? .commit : .undo))
  }

  mutating func fail(_ order: Int, _ fault: Fault) {
    items[order]?.fail(fault)
    advance(order)
  }

  // Everything that is not being committed already.
  mutating func failAll(_ fault: Fault) {
    for order in items.keys { fail(order, fault) }
  }

  mutating func close(_ order: Int, _ fault: Fault?) {
    noteFilled(order, fault)
    items[order]?.isOver = true
    counts.items += 1
    if let fault {
      counts.bad += 1
      if firstBad == nil || order < firstBad?.order ?? 0 { firstBad = (order, fault) }
    }
    forget(order)
  }

  mutating func markRead(_ order: Int) {
    items[order]?.isRead = true
    forget(order)
  }

  // Overwriting is not meant for what this very run has stored, and two items that are stored at the
  // same time could not see each other.
  func isTaken(_ name: ObjectName) -> Bool {
    filled.contains(name.hashValue)
      || items.values.contains { $0.name == name && $0.fault == nil }
  }

  private mutating func noteFilled(_ order: Int, _ fault: Fault?) {
    guard overwrites, fault == nil || fault?.kind == .remoteUnknown, let name = items[order]?.name
    else { return }
    filled.insert(name.hashValue)
  }

  private mutating func forget(_ order: Int) {
    if let item = items[order], item.isOver, item.isRead { items[order] = nil }
  }
}
