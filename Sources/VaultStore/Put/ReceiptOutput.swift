internal import Synchronization
internal import VaultFault
internal import VaultIO
internal import VaultRecord

/// Where receipts go: each line is one write, and a regular file can be synced.
final class ReceiptOutput: Sendable {
  private let output: Mutex<Descriptor>
  private let storage: SharedSync?
  private let isAbandoned = StopFlag()

  convenience init(_ descriptor: consuming sending Descriptor) {
    let storage = descriptor.kind == .regular ? SharedSync(of: descriptor) : nil
    self.init(descriptor, storage)
  }

  init(_ descriptor: consuming sending Descriptor, _ storage: SharedSync?) {
    var descriptor = descriptor
    descriptor.heedsSignals = false
    self.storage = storage
    output = Mutex(descriptor)
  }

  // What was written can still be lost, until a sync.
  var keeps: Bool { storage != nil }

  // No further receipt is tried: one is stuck, or was cut.
  func abandon() { isAbandoned.raise() }

  private func checkTaken() throws(Fault) {
    if isAbandoned.isRaised { throw Fault(.writeFailed, "nobody takes the receipts") }
  }

  func write(_ receipt: Receipt) throws(Fault) {
    try checkTaken()
    let line = receipt.line + [0x0A]
    try output.withLock { (output) throws(Fault) in
      try checkTaken()
      do throws(Fault) {
        try output.writeAll(line.span)
      } catch {
        // Half a line may be there: another one behind it would be neither.
        abandon()
        throw error
      }
    }
  }

  // All that was written before is on stable storage then.
  func sync() throws(Fault) {
    do throws(Fault) { try storage?.sync() } catch {
      abandon()
      throw error
    }
  }

  func print(_ receipt: Receipt) throws(Fault) {
    try write(receipt)
    try sync()
  }
}
