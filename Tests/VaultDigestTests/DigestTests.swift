import TestVectors
import Testing
import VaultText
import VaultDigest
import VaultFault

struct DigestTests {
  @Test(
    .needs("cavp_SHA3_256ShortMsg.rsp"), .needs("cavp_SHA3_256LongMsg.rsp"),
    arguments: ["Short", "Long"])
  func sha3AgreesWithCAVP(kind: String) throws {
    var length = 0
    var message: [UInt8] = []
    var count = 0
    for line in try Vectors.text("cavp_SHA3_256\(kind)Msg.rsp").split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: " = ").map(String.init)
      guard parts.count == 2 else { continue }
      switch parts[0] {
      case "Len": length = try #require(Int(parts[1]))
      case "Msg": message = Array(try #require(unhex(parts[1])).prefix(length / 8))
      case "MD":
        let digest = try Digest.of(message.span, .sha3_256)
        #expect(hex(digest) == parts[1])
        count += 1
      default: break
      }
    }
    #expect(count >= 100)
    print("cavp sha3-256 \(kind): \(count) passed")
  }

  @Test(
    arguments: [
      (DigestAlgorithm.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (.md5, "900150983cd24fb0d6963f7d28e17f72"),
      (.sha3_256, "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
    ])
  func abcHasItsPublishedDigest(algorithm: DigestAlgorithm, expected: String) throws {
    let message = Array("abc".utf8)
    let digest = try Digest.of(message.span, algorithm)
    #expect(hex(digest) == expected)
    #expect(digest.count == algorithm.byteCount)
  }

  @Test(arguments: DigestAlgorithm.allCases, [1, 7, 64, 1000])
  func theSplitOfUpdatesDoesNotMatter(algorithm: DigestAlgorithm, step: Int) throws {
    let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var digest = try Digest(algorithm)
    for start in stride(from: 0, to: message.count, by: step) {
      try digest.update(message.span.extracting(start..<min(start + step, message.count)))
    }
    let whole = try Digest.of(message.span, algorithm)
    #expect(try digest.finish() == whole)
  }

  @Test(arguments: DigestAlgorithm.allCases)
  func aResetHashForgetsEverything(algorithm: DigestAlgorithm) throws {
    var digest = try Digest(algorithm)
    let noise: [UInt8] = [1, 2, 3]
    let message: [UInt8] = [9]
    try digest.update(noise.span)
    _ = try digest.take()
    try digest.reset()
    try digest.update(noise.span)
    try digest.reset()
    try digest.update(message.span)
    let expected = try Digest.of(message.span, algorithm)
    #expect(try digest.finish() == expected)
  }

  @Test func startIsIdempotent() throws {
    try OpenSSL.start()
    try OpenSSL.start()
  }
}
