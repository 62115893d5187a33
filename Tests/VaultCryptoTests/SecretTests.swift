import COpenSSL
import Testing
import VaultCrypto
import VaultFault

struct SecretTests {
  // A machine may allow no locked memory; then the tools say so, and the answer stays the same.
  @Test func theHeapReportsOnceWhetherItIsLocked() throws {
    let locked = try Secret.startHeap()
    #expect(try Secret.startHeap() == locked)
    print("secure heap: \(locked ? "locked" : "not locked on this machine")")
  }

  @Test func secretsLieInTheSecureHeap() throws {
    let before = CRYPTO_secure_used()
    let secret = try Secret(random: 4000)
    #expect(CRYPTO_secure_used() >= 4000)
    #expect(secret.bytes.withUnsafeBytes { CRYPTO_secure_allocated($0.baseAddress) } == 1)
    #expect(before <= 65536)
  }

  @Test func aSecretHoldsWhatItWasGiven() throws {
    let secret = try Secret.copying([1, 2, 3])
    #expect(secret.count == 3)
    #expect(secret.array == [1, 2, 3])
    #expect(try secret.copy().array == [1, 2, 3])
    let none = try Secret.copying([])
    #expect(none.count == 0)
    #expect(none.array == [])
  }

  @Test func filledBytesBeginAsZeros() throws {
    let secret = try Secret(count: 4) { (bytes) throws(Fault) in bytes[1] = 7 }
    #expect(secret.array == [0, 7, 0, 0])
  }

  @Test func aFaultWhileFillingIsPassedOn() {
    let found = kind { () throws(Fault) in
      _ = try Secret(count: 4) { (_) throws(Fault) in throw Fault(.noKey, "none") }
    }
    #expect(found == .noKey)
  }

  @Test func randomSecretsDiffer() throws {
    let one = try Secret(random: 32)
    let two = try Secret(random: 32)
    #expect(one.array != two.array)
    #expect(try Random.bytes(24) != Random.bytes(24))
    #expect(try Random.bytes(0) == [])
    try Random.start()
  }

  // 64 KiB in all: only a heap that gets everything back lasts for a batch.
  @Test func theHeapLastsForABatch() throws {
    let salt = [UInt8](repeating: 1, count: 32)
    for round in 0..<5000 {
      let key = try Secret(random: 32)
      let derived = try HKDF.extractAndExpandSHA256(
        key: key.bytes, salt: salt.span, info: salt.span, count: 44)
      let cipher = try AESGCM(key: derived.bytes.extracting(first: 32))
      let sealed = try cipher.seal(nonce: derived.bytes.extracting(last: 12), key.bytes)
      let opened = try cipher.open(nonce: derived.bytes.extracting(last: 12), sealed.span)
      #expect(opened.array == key.array, "\(round)")
    }
  }

  @Test func faultsGiveTheirSecretsBack() throws {
    let key = [UInt8](repeating: 1, count: 32)
    let sealed = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<100 {
      let found = kind { () throws(Fault) in
        _ = try open(key, [UInt8](repeating: 0, count: 12), sealed, aad: [])
      }
      #expect(found == .slotDamaged)
    }
  }

  @Test func aSecretLargerThanTheHeapIsAFault() {
    let found = kind { () throws(Fault) in _ = try Secret(random: 70000) }
    #expect(found == .internalFault)
  }

  @Test func wipingLeavesZeros() {
    var bytes: [UInt8] = [1, 2, 3]
    wipe(&bytes)
    #expect(bytes == [0, 0, 0])
  }
}
