import TestVectors
import Testing
import VaultText
import VaultDigest

struct HMACTests {
  @Test(.needs("wycheproof_hmac_sha256_test.json"))
  func hmacAgreesWithWycheproof() throws {
    var count = 0
    for test in try Vectors.wycheproof("wycheproof_hmac_sha256_test.json") {
      let tag = try test.bytes("tag")
      let whole = try hmac(key: test.bytes("key"), test.bytes("msg"))
      let head = Array(whole.prefix(tag.count))
      let valid = equalConstantTime(head.span, tag.span)
      #expect(valid == test.isValid, "\(test.label)")
      count += 1
    }
    #expect(count == 174)
    print("wycheproof hmac sha-256: \(count) passed")
  }

  @Test func anEmptyKeyAndMessageAreTaken() throws {
    let mac = try hmac(key: [], [])
    #expect(hex(mac) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  @Test func oneKeyDoesNotReachTheNextCall() throws {
    let first = try hmac(key: [1], [2])
    #expect(try hmac(key: [7], [2]) != first)
    #expect(try hmac(key: [1], [2]) == first)
  }

  private func hmac(key: [UInt8], _ message: [UInt8]) throws -> [UInt8] {
    try HMAC.sha256(key: key.span, message.span)
  }
}
