import SealedObjects
import TestVectors
import Testing
import VaultDigest
import VaultFault
import VaultText

/// The vector files, made from docs/FORMAT.md by someone who has not seen this code.
struct VectorFiles {
  @Test func everyFileHasItsOutcome() throws {
    var passed = 0
    for file in try VectorFile.all() {
      let found = try file.outcome()
      if let difference = try difference(file, found) {
        Issue.record("\(file.name): \(difference)")
      } else {
        passed += 1
      }
    }
    print("vector files: \(passed) passed")
    #expect(passed > 300)
  }

  private func difference(_ file: VectorFile, _ found: Outcome) throws -> String? {
    if file["kind"] == "space" {
      return found.name == file["expect"] ? nil : "\(file["expect"] ?? "") expected, \(found.name)"
    }
    guard file["kind"] != "r" else { return differenceOfFrames(file, found) }
    let digest = hex(try Digest.of(found.released.span, .sha256))
    guard found.name == file["expect"], digest == file["payload-sha256"],
      String(found.released.count) == file["payload-bytes"]
    else {
      return "\(file["expect"] ?? "") and \(file["payload-bytes"] ?? "") bytes expected, "
        + "\(found.name) and \(found.released.count) found"
    }
    return nil
  }

  // What a key or a range must tell is not looked at in slices: their frames are read here.
  private func differenceOfFrames(_ file: VectorFile, _ found: Outcome) -> String? {
    let told: Set = [
      "ok", "unknown-frame", "bad-flags", "bad-reserved", "frame-too-long", "end-mismatch",
      "trailing-bytes", "incomplete", "aborted",
    ]
    guard let expect = file["expect"], told.contains(expect), found.name != expect else {
      return nil
    }
    return "\(expect) expected, \(found.name) found"
  }
}
