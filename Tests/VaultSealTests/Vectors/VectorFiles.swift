import TestVectors
import Testing
import VaultDigest
import VaultFault
import VaultText

/// The vector files, made from docs/FORMAT.md by someone who has not seen this code.
struct VectorFiles {
  // A slice is opened elsewhere: here its frames are read, and these names are told by them.
  private static let framing = Set(
    [
      "not-a-stream", "text-damage", "unsupported-version", "unknown-kind", "wrong-kind",
      "unknown-frame", "bad-flags", "bad-reserved", "frame-too-long", "end-mismatch",
      "trailing-bytes", "incomplete", "aborted",
    ])

  @Test func everyFileHasItsOutcome() throws {
    let files = try VectorFile.all()
    var passed = 0
    for file in files {
      let found = try file.outcome()
      if file["kind"] == "r" {
        guard Self.framing.contains(file["expect"] ?? "") || file["expect"] == "ok" else {
          passed += 1
          continue
        }
        #expect(found.name == file["expect"], "\(file.name)")
        passed += 1
        continue
      }
      let digest = hex(try Digest.of(found.released.span, .sha256))
      let isRight =
        found.name == file["expect"] && file["payload-bytes"] == String(found.released.count)
        && file["payload-sha256"] == digest
      #expect(
        isRight,
        """
        \(file.name): \(file["expect"] ?? "") and \(file["payload-bytes"] ?? "") bytes expected, \
        found \(found.name) and \(found.released.count)
        """)
      passed += isRight ? 1 : 0
    }
    print("vector files: \(passed) passed")
    #expect(files.count > 300)
  }
}
