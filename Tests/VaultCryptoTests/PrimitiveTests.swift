import TestVectors
import Testing
import VaultCrypto
import VaultDigest
import VaultFault

struct PrimitiveTests {
  @Test(.needs("wycheproof_aes_gcm_test.json"))
  func aesGCMAgreesWithWycheproof() throws {
    var count = 0
    for test in try Vectors.wycheproof("wycheproof_aes_gcm_test.json") {
      let key = try test.bytes("key")
      let nonce = try test.bytes("iv")
      let sealed = try test.bytes("ct") + test.bytes("tag")
      let text = try test.bytes("msg")
      let aad = try test.bytes("aad")
      // Other keys and nonces than ours are refused whatever the vector says.
      let ours = key.count == 32 && nonce.count == 12
      let opened = try? open(key, nonce, sealed, aad: aad)
      #expect(opened == (ours && test.isValid ? text : nil), "\(test.label)")
      if ours && test.isValid {
        #expect(try seal(key, nonce, text, aad: aad) == sealed, "\(test.label)")
      } else if ours {
        #expect(
          kind { () throws(Fault) in _ = try open(key, nonce, sealed, aad: aad) } == .slotDamaged)
      }
      count += 1
    }
    #expect(count == 316)
    print("wycheproof aes-gcm: \(count) passed")
  }

  @Test(.needs("wycheproof_hkdf_sha256_test.json"))
  func hkdfSHA256AgreesWithWycheproof() throws {
    var count = 0
    for test in try Vectors.wycheproof("wycheproof_hkdf_sha256_test.json") {
      let size = try test.number("size")
      let derived = try? hkdf256(
        test.bytes("ikm"), test.bytes("salt"), test.bytes("info"), size)
      #expect(derived == (test.isValid ? try test.bytes("okm") : nil), "\(test.label)")
      count += 1
    }
    #expect(count == 86)
    print("wycheproof hkdf-sha-256: \(count) passed")
  }

  @Test(.needs("wycheproof_hkdf_sha512_test.json"))
  func hkdfSHA512AgreesWithWycheproof() throws {
    var count = 0
    for test in try Vectors.wycheproof("wycheproof_hkdf_sha512_test.json") {
      let size = try test.number("size")
      // Only the second step is ours; the first is HMAC-SHA-512, taken from the same engine.
      let derived = try? expand512(
        extract512(test.bytes("ikm"), test.bytes("salt")), test.bytes("info"), size)
      #expect(derived == (test.isValid ? try test.bytes("okm") : nil), "\(test.label)")
      count += 1
    }
    #expect(count == 83)
    print("wycheproof hkdf-sha-512: \(count) passed")
  }

  @Test(.needs("wycheproof_pbkdf2_hmacsha256_test.json"))
  func pbkdf2AgreesWithWycheproof() throws {
    var count = 0
    for test in try Vectors.wycheproof("wycheproof_pbkdf2_hmacsha256_test.json") {
      let password = try test.bytes("password")
      let salt = try test.bytes("salt")
      let rounds = UInt32(try test.number("iterationCount"))
      let derived = try PBKDF2.sha256(
        password: password.span, salt: salt.span, rounds: rounds, count: test.number("dkLen")
      ).array
      #expect(try (derived == test.bytes("dk")) == test.isValid, "\(test.label)")
      count += 1
    }
    #expect(count == 60)
    print("wycheproof pbkdf2-hmac-sha-256: \(count) passed")
  }

  @Test func noRoundsAndNoOutputAreRefused() {
    let text: [UInt8] = [1]
    for (rounds, count) in [(UInt32(0), 32), (.max, 32), (1, 0), (1, -1)] {
      let found = kind { () throws(Fault) in
        _ = try PBKDF2.sha256(password: text.span, salt: text.span, rounds: rounds, count: count)
      }
      #expect(found == .internalFault)
    }
  }

  @Test func hkdfRefusesWhatItCannotGive() {
    for count in [-1, 0, 255 * 32 + 1] {
      #expect(
        kind { () throws(Fault) in _ = try hkdf256([1], [], [], count) } == .internalFault)
    }
  }

  private func extract512(_ key: [UInt8], _ salt: [UInt8]) throws(Fault) -> [UInt8] {
    let mac = try KeyedHash(.sha512, key: salt.span)
    try mac.update(key.span)
    var out = [UInt8](repeating: 0, count: 64)
    var span = out.mutableSpan
    try mac.finish(into: &span, at: 0)
    return out
  }

  private func expand512(_ key: [UInt8], _ info: [UInt8], _ count: Int) throws(Fault) -> [UInt8] {
    try HKDF.expandSHA512(key: key.span, info: info.span, count: count).array
  }
}
