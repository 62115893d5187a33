import COpenSSL
import Testing
import VaultCrypto
import VaultFault

private final class Held {
  let secret: Secret
  init(_ secret: consuming Secret) { self.secret = secret }
}

struct HeapTests {
  // In a process of its own, since it takes the heap from every other test.
  @Test func aFullHeapIsAFaultAndIsWholeAgainAfterwards() async {
    await #expect(processExitsWith: .success) {
      var held: [Held] = []
      let found = kind { () throws(Fault) in
        for _ in 0..<5000 { held.append(Held(try Secret(random: 32))) }
      }
      #expect(found == .internalFault)
      #expect(held.count > 1000)
      let text = [UInt8](repeating: 1, count: 32)
      #expect(kind { () throws(Fault) in _ = try hkdf256(text, text, text, 44) } == .internalFault)
      #expect(kind { () throws(Fault) in _ = try agree(text, text) } == .internalFault)
      held = []
      #expect(try hkdf256(text, text, text, 44).count == 44)
      _ = try CobblestoneSealer(inputKey: text.span, context: [])
    }
  }

  @Test func endedSecretsLeaveNothingBehind() async {
    await #expect(processExitsWith: .success) {
      // The generators of the thread and their state come first.
      try work()
      let used = CRYPTO_secure_used()
      for _ in 0..<50 { try work() }
      #expect(CRYPTO_secure_used() == used)
    }
  }

  @Test func manyThreadsSealAtOnce() async throws {
    let done = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 { try work() }
          return 50
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(done == 400)
  }
}

/// One of each: all that it takes from the heap must come back.
private func work() throws(Fault) {
  let reader = try X25519.generate()
  let point = try X25519.publicKey(of: reader)
  let key = try Secret(random: 32)
  let sealed = try HPKE.seal(to: point, info: [1], aad: [], plaintext: key.bytes)
  let opened = try HPKE.open(
    enc: sealed.enc, with: reader, publicKey: point, info: [1], aad: [],
    ciphertext: sealed.ciphertext.span)
  guard opened.array == key.array else { throw Fault(.internalFault, "opened another key") }
  _ = kind { () throws(Fault) in
    _ = try HPKE.open(
      enc: point, with: reader, publicKey: point, info: [], aad: [],
      ciphertext: sealed.ciphertext.span)
  }
  var sealer = try CobblestoneSealer(inputKey: key.bytes, context: [])
  var out = [UInt8](repeating: 0, count: 100)
  var offset = 0
  try sealer.finish(into: &out, at: &offset)
}
