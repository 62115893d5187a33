internal import VaultFault

/// One item on its way into the store, as a state machine: it is committed only when all of it was
/// read, the end was seen and every part was acknowledged; it is undone as soon as anything failed
/// and no call is in hand for it; and it ends once.
struct ItemProgress: Sendable {
  enum Step: Equatable, Sendable { case commit, undo }

  let order: Int
  let stop: StopFlag
  var token: String
  var item: String?
  var row: [UInt8]?
  var name: ObjectName?
  var home: String?
  // From the label, when the object's own envelope is detached.
  var envelope: [UInt8]?
  var body: String?
  var upload: UploadName?
  // An upload may have been opened whose id has not come.
  var mayBeOpen = false
  // Parts that an earlier run has stored, and whether it has stored all.
  var kept: [Int: PartReceipt] = [:]
  var isThere = false
  // The journal has a line that waits for its end.
  var isJournaled = false
  var receipts: [PartReceipt] = []
  // Calls that are queued or in hand.
  var pending = 0
  private(set) var ending: Ending?
  private(set) var fault: Fault?
  private(set) var isClosing = false
  // Bytes that its receipt may have, for which there is room.
  var promised: UInt64 = 0
  // Its receipt is being written, and this is it.
  var isPrinting = false
  var conclusion: PutEngine.Conclusion?
  // Its receipt is out.
  var isOver = false
  // No more of it comes from the stream.
  var isRead = false

  init(order: Int, token: String, below stop: StopFlag) {
    self.order = order
    self.token = token
    self.stop = StopFlag(parent: stop)
  }

  // The first fault counts, and only before the commit has begun.
  mutating func fail(_ fault: Fault) {
    if self.fault == nil, !isClosing { self.fault = fault }
    if self.fault != nil { stop.raise() }
  }

  // The whole item was seen, and where that matters the end of the stream.
  mutating func end(_ ending: Ending) { self.ending = ending }

  // The object is needed no more: its buffers are.
  mutating func letGo() { (ending, conclusion) = (nil, nil) }

  // What is to be done now, once.
  mutating func next() -> Step? {
    guard !isClosing, pending == 0, fault != nil || ending != nil else { return nil }
    isClosing = true
    return fault == nil ? .commit : .undo
  }
}
