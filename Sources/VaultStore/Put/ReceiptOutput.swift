internal import VaultFault
public import VaultIO
internal import Synchronization
internal import VaultRecord

/// Where receipts go: whole lines, each one write; a regular file can be synced.
///
/// Room for a receipt is promised before the first byte of its item is stored, and once more, to the
/// byte, before the object is committed: an object whose receipt has no place is not made.
public final class ReceiptOutput: Sendable {
  private struct Room: ~Copyable, Sendable {
    var ahead: OutputRoom
    // Bytes of receipts that are to come.
    var promised: UInt64 = 0
  }

  private let lines: Mutex<LineOutput>
  // Apart: a line may be stuck in a pipe for long.
  private let room: Mutex<Room>
  private let storage: SharedSync?
  private let isAbandoned = StopFlag()

  /// Takes over a descriptor, mostly standard output. It must be made before the file sandbox.
  public convenience init(_ descriptor: consuming sending Descriptor) {
    let storage = descriptor.kind == .regular ? SharedSync(of: descriptor) : nil
    self.init(descriptor, storage)
  }

  init(_ descriptor: consuming sending Descriptor, _ storage: SharedSync?) {
    self.storage = storage
    room = Mutex(Room(ahead: OutputRoom(of: descriptor)))
    lines = Mutex(LineOutput(descriptor))
  }

  // What was written can still be lost, until a sync.
  var keeps: Bool { storage != nil }

  // No further receipt is tried: one is stuck, or was cut.
  func abandon() { isAbandoned.raise() }

  private func checkTaken() throws(Fault) {
    if isAbandoned.isRaised { throw Fault(.writeFailed, "nobody takes the receipts") }
  }

  // Throws what a receipt would run into. Without bytes: whether there is room for any.
  func promise(_ bytes: UInt64 = 0) throws(Fault) {
    try checkTaken()
    try room.withLock { (room) throws(Fault) in
      do throws(Fault) { try room.ahead.require(max(1, room.promised + bytes)) } catch {
        throw Fault(error.kind, error.reason, hint: "no object is stored without its receipt")
      }
      room.promised += bytes
    }
  }

  // `promised`: what was promised for this one.
  func write(_ receipt: Receipt, promised: UInt64 = 0) throws(Fault) {
    try checkTaken()
    let line = receipt.line
    room.withLock { $0.promised -= min(promised, $0.promised) }
    try lines.withLock { (lines) throws(Fault) in
      try checkTaken()
      do throws(Fault) { try lines.write(line) } catch {
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
