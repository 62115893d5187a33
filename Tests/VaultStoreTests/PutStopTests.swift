import Synchronization
import Testing
import VaultDigest
import VaultFault
import VaultFrame
import VaultIO
import VaultRecord
import VaultText
@testable import VaultStore

// What put does when it is told to stop, or when nobody takes its receipts.

@Test func aReceiptThatCannotBeWrittenStopsNewItems() throws {
  let batch = try itemsOfABatch([Int](repeating: 50_000, count: 40), partSize: 20_000)
  let input = try stream(batch, batch: true)
  let ends = try pipeOfTests()
  let isFirst = Mutex(true)
  // Whoever reads the receipts goes away when the first object is there.
  let store = MemoryStore { call, _ in
    guard call == .prove, isFirst.withLock({ $0.take() }) else { return }
    closeOfTests(ends.read)
  }
  var settings = PutSettings(try Destination("s3://b/{item}"))
  let said = Mutex<[String]>([])
  settings.notice = { fault in said.withLock { $0.append(fault.reason) } }
  let at = Mutex(0)
  let engine = PutEngine(
    settings, store: store,
    receipts: ReceiptOutput(Descriptor(owning: ends.write, name: "receipts")))
  #expect {
    try engine.run { buffer in
      at.withLock { at in
        let count = min(buffer.count, 10_000, input.count - at)
        for index in 0..<count { buffer[index] = input[at + index] }
        at += count
        return count
      }
    }
  } throws: {
    ($0 as? Fault)?.status == .localIO
  }
  #expect(store.objects.count < 20)
  #expect(store.openUploads == 0)
  // Nobody has read a receipt: each object is told by name and item.
  for (name, object) in store.objects {
    let isTold = said.withLock { said in
      said.contains { $0.contains(name.shown) && $0.contains(object.item) }
    }
    #expect(isTold, "\(name.shown)")
  }
}

@Test func cancelUndoesWhatIsOpen() throws {
  var item = try TestItem(dataBytes: 8 << 20)
  item.partSize = 1 << 20
  let input = try stream([item])
  let directory = try TestDirectory()
  let path = directory.path + "/receipts"
  let slow = Mutex<PutEngine?>(nil)
  let store = MemoryStore { call, stop in
    // The third call is one that would take for ever, as with a dead remote.
    guard call == .putPart, let engine = slow.withLock({ $0 }) else { return }
    engine.giveUp(Fault(.cancelled, "stopped by signal TERM", signal: 15))
    while !stop.isRaised { Clock.sleep(milliseconds: 1) }
  }
  let engine = PutEngine(
    PutSettings(try Destination("s3://b/{item}")), store: store,
    receipts: ReceiptOutput(try File.openForAppending(Path(path))))
  slow.withLock { $0 = engine }
  let at = Mutex(0)
  #expect {
    try engine.run { buffer in
      at.withLock { at in
        let count = min(buffer.count, 100_000, input.count - at)
        for index in 0..<count { buffer[index] = input[at + index] }
        at += count
        return count
      }
    }
  } throws: {
    ($0 as? Fault)?.status == .signal(15)
  }
  let receipts = try linesOfFile(path).map { try Receipt(line: Array($0.utf8)) }
  #expect(receipts.map(\.status) == [.cancelled])
  #expect(store.objects.isEmpty)
  #expect(store.openUploads == 0)
}

@Test func aFullReceiptPipeDoesNotKeepTheOpenUploads() throws {
  var batch = try itemsOfABatch([Int](repeating: 10, count: 200) + [1 << 20], partSize: 50_000)
  let row = "{\"x\":\"" + String(repeating: "y", count: 4000) + "\"}"
  for place in batch.indices {
    batch[place].label = Label(item: batch[place].id)
    batch[place].label?.row = Array(row.utf8)
  }
  let ends = try pipeOfTests()
  let store = MemoryStore()
  let settings = PutSettings(try Destination("s3://b/{item}"))
  let engine = PutEngine(
    settings, store: store,
    receipts: ReceiptOutput(Descriptor(owning: ends.write, name: "receipts")))
  let input = try stream(batch, batch: true)
  let at = Mutex(0)
  let canceller = try WorkerThread {
    // Stuck is what stays so, however busy the machine is.
    var stuck = 0
    while stuck < 20 {
      Clock.sleep(milliseconds: 10)
      stuck = engine.floor.withLock { $0.waitsForReceiptsOnly } ? stuck + 1 : 0
    }
    engine.cancelAndWait(Fault(.cancelled, "stopped by signal TERM", signal: 15))
  }
  let runner = try WorkerThread {
    try? engine.run { buffer in
      at.withLock { at in
        let count = min(buffer.count, input.count - at)
        for index in 0..<count { buffer[index] = input[at + index] }
        at += count
        return count
      }
    }
  }
  canceller.join()
  #expect(store.openUploads == 0)
  #expect(engine.floor.withLock { $0.waitsForReceiptsOnly })
  closeOfTests(ends.read)
  runner.join()
}
