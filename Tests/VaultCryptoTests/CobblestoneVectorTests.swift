import COpenSSL
import TestVectors
import Testing
import VaultFault

@testable import VaultCrypto

private let vectorFile = "wycheproof_c2sp_chunked_encryption_aes_256_gcm_test.json"

struct CobblestoneVectorTests {
  @Test(.needs("wycheproof_c2sp_chunked_encryption_aes_256_gcm_test.json"))
  func streamsAgreeWithWycheproof() throws {
    var count = 0
    for test in try Vectors.wycheproof(vectorFile) {
      let message = try Inflate.zlib(test.bytes("ct"))
      let (released, fault) = try Message.open(
        message, key: test.bytes("key"), context: test.bytes("ctx"))
      #expect((fault == nil) == test.isValid, "\(test.label)")
      // Nothing past the named prefix, and all of it where the message is good.
      let limit = test["msgLength"] as? Int ?? 0
      #expect(released.count <= limit, "\(test.label)")
      if released.count == limit, let expected = test["msgSha512"] as? String {
        #expect(sha512(released) == unhex(expected), "\(test.label)")
      }
      #expect(!test.isValid || released.count == limit, "\(test.label)")
      if let fault, fault.kind != .internalFault { #expect(fault.kind == .bodyDamaged) }
      count += 1
    }
    #expect(count == 35)
    print("wycheproof cobblestone-256: \(count) passed")
  }

  @Test(.needs("wycheproof_c2sp_chunked_encryption_aes_256_gcm_test.json"))
  func sealingAgainGivesTheSameMessages() throws {
    var count = 0
    for test in try Vectors.wycheproof(vectorFile) where test.isValid {
      let message = try Inflate.zlib(test.bytes("ct"))
      let key = try test.bytes("key")
      let context = try test.bytes("ctx")
      let text = Message.open(message, key: key, context: context).released
      var sealer = try CobblestoneSealer(
        inputKey: key.span, context: context, salt: Array(message[..<24]), firstChunk: 0)
      var out = [UInt8](repeating: 0, count: message.count)
      out.replaceSubrange(..<56, with: sealer.head)
      var offset = 56
      try sealer.push(text.span, into: &out, at: &offset)
      try sealer.finish(into: &out, at: &offset)
      #expect(out == message, "\(test.label)")
      #expect(offset == message.count)
      count += 1
    }
    #expect(count == 10)
    print("wycheproof cobblestone-256: \(count) sealed again to the same bytes")
  }

  // Ranges read single chunks: each one must stand or fall as in the stream, from the last back.
  @Test(.needs("wycheproof_c2sp_chunked_encryption_aes_256_gcm_test.json"))
  func chunksInAnyOrderAgreeWithWycheproof() throws {
    var count = 0
    for test in try Vectors.wycheproof(vectorFile) where !test.flags.contains("HeaderFailure") {
      let message = try Inflate.zlib(test.bytes("ct"))
      let key = try test.bytes("key")
      let head = Array(message.prefix(56))
      var opener = try CobblestoneOpener(
        inputKey: key.span, context: test.bytes("ctx"), head: head.span)
      var allGood = true
      for start in stride(from: 56, through: message.count, by: 16400).reversed() {
        let end = min(start + 16400, message.count)
        let chunk = try? Message.chunk(
          Array(message[start..<end]), UInt64((start - 56) / 16400), isLast: end - start < 16400,
          of: &opener)
        allGood = allGood && chunk != nil
      }
      #expect(allGood == test.isValid, "\(test.label)")
      count += 1
    }
    print("wycheproof cobblestone-256: \(count) passed from the last chunk to the first")
  }

  private func sha512(_ bytes: [UInt8]) -> [UInt8] {
    var out = [UInt8](repeating: 0, count: 64)
    let done = EVP_Digest(bytes, bytes.count, &out, nil, EVP_sha512(), nil)
    #expect(done == 1)
    return out
  }
}
