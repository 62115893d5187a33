import Foundation
import Synchronization
import Testing
import VaultFault
import VaultIO

@testable import VaultStore

struct SharedSyncTests {
  @Test func allThatWaitComeBack() throws {
    let directory = try TestDirectory()
    let file = try File.openForAppending(Path(directory.path + "/f"))
    let sync = SharedSync(of: file)
    let done = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      for _ in 0..<20 where (try? sync.sync()) != nil { done.withLock { $0 += 1 } }
    }
    #expect(done.withLock { $0 } == 320)
  }

  // The kernel tells a failure once; everyone must hear it, and for good.
  @Test func aFailedSyncFailsForAllAndForGood() throws {
    let closed = Descriptor(borrowing: 1_000_000, name: "closed")
    let sync = SharedSync(of: closed)
    let failed = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<5 {
        do { try sync.sync() } catch { failed.withLock { $0 += 1 } }
      }
    }
    #expect(failed.withLock { $0 } == 40)
  }
}
