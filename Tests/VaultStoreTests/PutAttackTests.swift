import Testing
import VaultFault
import VaultFrame
import VaultIO
import VaultRecord

@testable import VaultStore

@Test func whatLabelsClaimNeverEndsTheProcess() throws {
  var batch = try (0..<4).map { _ in try TestItem(dataBytes: 10) }
  for place in batch.indices {
    batch[place].label = Label(item: batch[place].id)
    batch[place].label?.bytes = UInt64(Int64.max)
  }
  let run = try PutRun(stream(batch, batch: true), into: MemoryStore())
  #expect(run.receipts.count == 4)
}
