import TestVectors
import Testing
import VaultFault

@testable import VaultCrypto

private let vectorFile = "rfc9180_hpke_x25519_hkdf-sha256_aes256gcm_base.json"

struct HPKETests {
  @Test(.needs("rfc9180_hpke_x25519_hkdf-sha256_aes256gcm_base.json"))
  func hpkeAgreesWithRFC9180() throws {
    let vectors = try #require(try Vectors.json(vectorFile) as? [[String: Any]])
    var count = 0
    for vector in vectors {
      let secret = try Secret.copying(vector.bytes("skRm"))
      let context = try HPKE.Context(
        enc: vector.bytes("enc"), secret: secret, publicKey: vector.bytes("pkRm"),
        info: vector.bytes("info"))
      #expect(try context.key.array == vector.bytes("key"))
      #expect(try context.baseNonce.array == vector.bytes("base_nonce"))
      let messages = try #require(vector["encryptions"] as? [[String: Any]])
      let numbers: [UInt64] = Array(0...9) + [255, 256]
      for (number, message) in zip(numbers, messages) {
        let aad = try message.bytes("aad")
        let text = try message.bytes("pt")
        let sealed = try message.bytes("ct")
        #expect(try context.seal(number, text.span, aad: aad) == sealed)
        #expect(try context.open(number, sealed.span, aad: aad).array == text)
        count += 1
      }
      try singleShotAgrees(vector, messages[0])
    }
    #expect(count >= 12)
    print("rfc 9180 hpke base mode: \(count) encryptions passed")
  }

  private func singleShotAgrees(_ vector: [String: Any], _ message: [String: Any]) throws {
    let ephemeral = try Secret.copying(vector.bytes("skEm"))
    let text = try message.bytes("pt")
    let sealed = try HPKE.seal(
      to: vector.bytes("pkRm"), ephemeral: ephemeral, info: vector.bytes("info"),
      aad: message.bytes("aad"), plaintext: text.span)
    #expect(try sealed.enc == vector.bytes("enc"))
    #expect(try sealed.ciphertext == message.bytes("ct"))
  }

  @Test func whatIsSealedOpensForItsReaderOnly() throws {
    let reader = try X25519.generate()
    let other = try X25519.generate()
    let point = try X25519.publicKey(of: reader)
    let text = [UInt8](repeating: 5, count: 32)
    let (enc, sealed) = try HPKE.seal(to: point, info: [1], aad: [], plaintext: text.span)
    #expect(sealed.count == 48)
    let opened = try HPKE.open(
      enc: enc, with: reader, publicKey: point, info: [1], aad: [], ciphertext: sealed.span)
    #expect(opened.array == text)
    #expect(openKind(enc, other, info: [1], aad: [], sealed) == .slotDamaged)
    #expect(openKind(enc, reader, info: [2], aad: [], sealed) == .slotDamaged)
    #expect(openKind(enc, reader, info: [1], aad: [0], sealed) == .slotDamaged)
    #expect(openKind(enc, reader, info: [1], aad: [], []) == .slotDamaged)
  }

  @Test func everyFlippedBitIsRefused() throws {
    let reader = try X25519.generate()
    let text = [UInt8](repeating: 5, count: 32)
    let (enc, sealed) = try HPKE.seal(
      to: X25519.publicKey(of: reader), info: [], aad: [], plaintext: text.span)
    for bit in 0..<(80 * 8) {
      var whole = enc + sealed
      whole[bit / 8] ^= 1 << (bit % 8)
      let found = openKind(
        Array(whole[..<32]), reader, info: [], aad: [], Array(whole[32...]))
      #expect(found == .slotDamaged, "bit \(bit)")
    }
  }

  @Test func aPointOfLowOrderIsNoRecipient() {
    let text: [UInt8] = [1]
    for point in [[UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31), []] {
      let found = kind { () throws(Fault) in
        _ = try HPKE.seal(to: point, info: [], aad: [], plaintext: text.span)
      }
      #expect(found == .badRecipient)
    }
  }

  private func openKind(
    _ enc: [UInt8], _ secret: borrowing Secret, info: [UInt8], aad: [UInt8], _ sealed: [UInt8]
  ) -> FaultKind? {
    do throws(Fault) {
      let point = try X25519.publicKey(of: secret)
      _ = try HPKE.open(
        enc: enc, with: secret, publicKey: point, info: info, aad: aad, ciphertext: sealed.span)
      return nil
    } catch { return error.kind }
  }
}
