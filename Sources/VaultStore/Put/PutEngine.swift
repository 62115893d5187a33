internal import VaultDigest
public import VaultFault
internal import VaultFrame
internal import VaultIO
internal import VaultText

/// Stores the items of a parts stream: reads on one thread, stores on others, and prints one receipt
/// for each item when it is known how it ended.
///
/// The main thread calls ``run(reading:)`` and waits in it, so that signals are seen. A lone item is
/// committed after the end of the stream was seen, an item of a batch after its own end.
public final class PutEngine: Sendable {
  let settings: PutSettings
  let store: any Store
  let receipts: ReceiptOutput
  let journal: Journal?
  let state: ResumeState?
  let budget: MemoryBudget
  let floor = Monitor(PutState())
  let settling = Monitor(Settling())
  // Raised to end everything, and to end even the cleaning up.
  let stop = StopFlag()
  let lastStop = StopFlag()

  /// An engine that puts into `store` (with its retries) and prints to `receipts`; with a journal,
  /// and with the state of an earlier run that it continues.
  public init(
    _ settings: PutSettings, store: any Store, receipts: ReceiptOutput, journal: Journal? = nil,
    state: ResumeState? = nil
  ) {
    self.settings = settings
    self.store = store
    self.receipts = receipts
    self.journal = journal
    self.state = state
    self.budget = MemoryBudget(limit: settings.memory)
    floor.withLock { $0.overwrites = settings.overwrite }
  }

  /// How far it has come; for progress, from any thread.
  public var counts: PutCounts { floor.withLock { $0.counts } }

  /// Stores the parts stream of standard input; returns and throws as ``run(reading:)``.
  public func run() throws(Fault) {
    Descriptor.standardInput().widenPipe()
    try unsafe run { (free) throws(Fault) in
      try unsafe Descriptor.standardInput().read(into: free)
    }
  }

  /// Reads a parts stream with `read` (as many bytes as there are, 0 at the end) and stores it.
  ///
  /// Returns when every item is stored and its receipt is out. It does not wait for a reader that is
  /// still blocked when nothing more can come of it; so the process should end after it.
  /// - Throws: `cancelled` after a signal; `write-failed` when a receipt cannot be written, which is
  ///   found out before the first byte of an item is stored, as far as it can be; else the fault of the first bad item in the order of the input, or that of the stream.
  public func run(
    reading read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws(Fault) -> Int
  ) throws(Fault) {
    try receipts.promise()
    var workers: [Box] = []
    for _ in 0..<max(1, settings.jobs) {
      workers.append(Box(try WorkerThread { self.work() }))
    }
    let settler = Box(try WorkerThread { self.settleReceipts() })
    _ = try WorkerThread { unsafe self.readAll(read) }
    do throws(Fault) {
      try floor.waitHeedingSignals { $0.isOver ? () : nil }
    } catch {
      cancelAndWait(error)
    }
    floor.withLock { $0.isClosed = true }
    let isDone = floor.withLock { $0.load == 0 }
    if isDone { for worker in workers { worker.join() } }
    settling.withLock { $0.isLast = true }
    if isDone { settler.join() }
    if let fault = floor.withLock({ $0.verdict }) { throw fault }
  }

  func cancelAndWait(_ fault: Fault) {
    giveUp(fault)
    awaitCleanup()
  }

  // Asks everything to give up; what was begun is taken back.
  func giveUp(_ fault: Fault) {
    stop.raise()
    floor.withLock { state in
      state.cancellation = fault
      state.failAll(fault)
    }
  }

  // Taking back may need its time, but a receipt that nobody takes is waited for 2 s only; then
  // what the workers cannot do, because they are stuck in it, is done here and without receipts.
  private func awaitCleanup() {
    let patience = Clock.deadline(inMilliseconds: 20_000)
    while true {
      let deadline = Clock.deadline(inMilliseconds: 2000)
      if floor.wait(until: deadline, for: { $0.isOver ? () : nil }) != nil { return }
      if Clock.monotonic() > patience { lastStop.raise() }
      guard floor.withLock({ $0.waitsForReceiptsOnly }) else { continue }
      receipts.abandon()
      while case .work(let job)? = floor.withLock({ $0.nextOrder() }) {
        perform(job)
        floor.withLock { $0.finish(job) }
      }
      tellStuck()
      return
    }
  }

  private func readAll(
    _ read: @Sendable (UnsafeMutableRawBufferPointer) throws(Fault) -> Int
  ) {
    var runner = StreamRunner(PutConsumer(self), accepting: [.parts])
    do throws(Fault) {
      while try unsafe runner.step(read) {}
      try runner.finish()
    } catch {
      floor.withLock { $0.streamFault = error }
    }
    floor.withLock { $0.readerIsDone = true }
  }

  private func work() {
    while case .work(let job)? = floor.wait(for: { $0.nextOrder() }) {
      perform(job)
      floor.withLock { $0.finish(job) }
    }
  }

  // Threads cannot be kept in an array by themselves.
  private final class Box {
    private var thread: WorkerThread?
    init(_ thread: consuming WorkerThread) { self.thread = consume thread }
    func join() { thread.take()?.join() }
  }
}

extension PutState {
  var verdict: Fault? { receiptFault ?? cancellation ?? firstBad?.fault ?? streamFault }
}
