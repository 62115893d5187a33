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

  // A pipe cannot be synced. The kernel would say so of a file once; everyone must hear it, and for good.
  @Test func aFailedSyncFailsForAllAndForGood() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let end = Descriptor(owning: ends[1], name: "pipe")
    let other = Descriptor(owning: ends[0], name: "pipe")
    let sync = SharedSync(of: end)
    let failed = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<5 {
        do { try sync.sync() } catch { failed.withLock { $0 += 1 } }
      }
    }
    #expect(failed.withLock { $0 } == 40)
    _ = other.kind
  }
}
