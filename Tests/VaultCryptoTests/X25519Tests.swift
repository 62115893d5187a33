import TestVectors
import Testing
import VaultCrypto
import VaultDigest
import VaultFault

struct X25519Tests {
  @Test(.needs("wycheproof_x25519_test.json"))
  func x25519AgreesWithWycheproof() throws {
    var refused = 0
    var agreed = 0
    for test in try Vectors.wycheproof("wycheproof_x25519_test.json") {
      let secret = try test.bytes("private")
      let point = try test.bytes("public")
      let bad = test.flags.contains("ZeroSharedSecret") || !X25519.isCanonical(point)
      if bad {
        let found = kind { () throws(Fault) in _ = try agree(secret, point) }
        #expect(found == .badRecipient, "\(test.label)")
        refused += 1
      } else {
        #expect(try agree(secret, point) == test.bytes("shared"), "\(test.label)")
        agreed += 1
      }
      if test.flags.contains("NonCanonicalPublic") {
        #expect(!X25519.isCanonical(point), "\(test.label)")
      }
    }
    #expect(refused + agreed == 518)
    #expect(refused >= 31)
    print("wycheproof x25519: \(agreed) agreed, \(refused) refused, 518 passed")
  }

  @Test func canonicalMeansBelowThePrime() throws {
    let prime = [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
    var below = prime
    below[0] = 0xec
    #expect(X25519.isCanonical(below))
    #expect(!X25519.isCanonical(prime))
    var above = prime
    above[0] = 0xff
    #expect(!X25519.isCanonical(above))
    var high = below
    high[31] = 0xff
    #expect(!X25519.isCanonical(high))
    #expect(!X25519.isCanonical([UInt8](repeating: 1, count: 31)))
    #expect(!X25519.isCanonical([UInt8](repeating: 1, count: 33)))
    #expect(!X25519.isCanonical([]))
  }

  @Test func twoFreshKeysAgreeAndDiffer() throws {
    let one = try X25519.generate()
    let two = try X25519.generate()
    let shared = try X25519.sharedSecret(one, with: X25519.publicKey(of: two))
    let again = try X25519.sharedSecret(two, with: X25519.publicKey(of: one))
    #expect(shared.array == again.array)
    #expect(one.array != two.array)
  }
}
