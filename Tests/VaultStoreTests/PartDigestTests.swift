import Synchronization
import Testing
import VaultDigest
import VaultFault
import VaultFrame
import VaultRecord
import VaultText

@testable import VaultStore

@Test func partDigestsAreRecomputed() throws {
  let claims: [(inout [UInt8], [UInt8]) throws -> Void] = [
    { frame, _ in frame[20] ^= 1 },
    { frame, _ in if frame[3] == 3 { frame[47] ^= 1 } },
    // What the part is by itself, which is not what it is in the object.
    { frame, part in
      let alone = try Digest.of(part.span, .sha256)
      if frame[3] > 1 { frame.replaceSubrange(16..., with: alone) }
    },
  ]
  for claim in claims {
    var item = try TestItem(dataBytes: 2 << 20)
    item.spoilPart = claim
    try expectRefused(item, .partMismatch)
  }
}

@Test(arguments: [true, false])
func partsHaveDigestsOfTheirOwnWhereTheStoreNeedsThem(_ areNeeded: Bool) throws {
  var item = try TestItem(dataBytes: 3 << 20)
  item.partSize = 700_000
  let store = MemoryStore(needsPartDigests: areNeeded)
  let run = try PutRun(stream([item]), into: store)
  #expect(run.fault == nil)
  #expect(store.objects[name(item)]?.bytes == item.object)
  let parts = try stride(from: 0, to: item.object.count, by: item.partSize).map { start in
    let range = start..<min(start + item.partSize, item.object.count)
    let part = Array(item.object[range])
    return try Digest.of(part.span, .sha256)
  }
  let digests = store.state.withLock { $0.digests }
  #expect(digests.count == parts.count)
  for (index, part) in parts.enumerated() {
    #expect(digests[index + 1] == .some(areNeeded ? part : nil))
  }
  let joined = Array(parts.joined())
  let composite = Base64.encode(try Digest.of(joined.span, .sha256), padded: true)
  let whole = hex(try Digest.of(item.object.span, .sha256))
  let receipt = try run.only
  #expect(receipt.parts == UInt64(parts.count))
  #expect(receipt.partsSHA256 == (areNeeded ? "\(composite)-\(parts.count)" : nil))
  #expect(receipt.sha256 == whole)
}
