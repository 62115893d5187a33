import Synchronization
import Testing
import VaultDigest
import VaultFault
import VaultFrame
import VaultIO
import VaultRecord

@testable import VaultStore

/// One run of the engine over bytes: its fault, its receipts, and what lies in the store.
struct PutRun {
  var fault: Fault?
  var receipts: [Receipt]
  var peak: Int

  init(
    _ input: [UInt8], into store: any Store, at destination: String = "s3://b/{item}",
    step: Int = 1 << 20, journal: Journal? = nil, state: ResumeState? = nil,
    syncing sync: SharedSync? = nil, adjust: (inout PutSettings) -> Void = { _ in }
  ) throws {
    let at = Mutex(0)
    self = try PutRun(
      into: store, at: destination, journal: journal, state: state, syncing: sync, adjust: adjust
    ) { buffer in
      at.withLock { at in
        let count = min(buffer.count, step, input.count - at)
        for index in 0..<count { buffer[index] = input[at + index] }
        at += count
        return count
      }
    }
  }

  init(
    into store: any Store, at destination: String, journal: Journal? = nil,
    state: ResumeState? = nil, syncing sync: SharedSync? = nil,
    adjust: (inout PutSettings) -> Void = { _ in },
    reading read: @escaping @Sendable (UnsafeMutableRawBufferPointer) throws(Fault) -> Int
  ) throws {
    let directory = try TestDirectory()
    let path = directory.path + "/receipts"
    var settings = PutSettings(try Destination(destination))
    adjust(&settings)
    let file = try File.openForAppending(Path(path))
    let storage = sync ?? SharedSync(of: file)
    let engine = PutEngine(
      settings, store: Retry(store, FakeTime().policy), receipts: ReceiptOutput(file, storage),
      journal: journal, state: state)
    do throws(Fault) {
      try engine.run(reading: read)
      fault = nil
    } catch { fault = error }
    receipts = try linesOfFile(path).map { try Receipt(line: Array($0.utf8)) }
    peak = engine.budget.peak
  }

  var only: Receipt {
    get throws {
      #expect(receipts.count == 1)
      return try #require(receipts.first)
    }
  }
}

func name(_ item: TestItem) -> ObjectName {
  ObjectName(key: item.id.text, shown: "s3://b/\(item.id.text)")
}
