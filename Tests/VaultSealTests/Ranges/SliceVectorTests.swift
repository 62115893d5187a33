import TestVectors
import Testing
import VaultDigest
import VaultFault
import VaultFrame
import VaultText

@testable import VaultSeal

/// The vector files of slices, opened as their header asks.
struct SliceVectorTests {
  @Test func everyFileHasItsOutcome() throws {
    var passed = 0
    for file in try VectorFile.all() where file.folder == "slice" {
      let range = try #require(asked(file))
      let opened = OpenedRange(
        file.stream, range, try file.keyring(), expecting: try file.expectation())
      #expect(opened.name == file["expect"], "\(file.name): \(opened.fault?.reason ?? "")")
      // What is released before a fault may be less than the file allows, never other bytes.
      let allowed = Int(file["payload-bytes"] ?? "") ?? 0
      #expect(opened.released.count <= allowed, "\(file.name)")
      if opened.released.count == allowed {
        let digest = hex(try Digest.of(opened.released.span, .sha256))
        #expect(digest == file["payload-sha256"], "\(file.name)")
      }
      #expect(opened.fault != nil || opened.released.count == allowed, "\(file.name)")
      passed += 1
    }
    print("slice vectors: \(passed) passed")
    #expect(passed >= 30)
  }

  private func asked(_ file: VectorFile) -> ByteRange? {
    let numbers = (file["range"] ?? "").split(separator: " ").compactMap { UInt64($0) }
    guard numbers.count == 2 else { return nil }
    return numbers[1] == 0
      ? .nothing : .closed(first: numbers[0], last: numbers[0] + numbers[1] - 1)
  }
}
