import Testing
import VaultDigest
import VaultText

struct TextTests {
  @Test func hexIsLowerCaseBothWays() {
    #expect(hex([0x00, 0x9f, 0xab, 0xff]) == "009fabff")
    #expect(bytes(hex: "009fabff") == [0x00, 0x9f, 0xab, 0xff])
    #expect(bytes(hex: "") == [])
  }

  @Test(arguments: ["0", "AB", "0x", "g0", " 00", "00\n", "é", "0１"])
  func hexRefuses(text: String) { #expect(bytes(hex: text) == nil) }

  @Test(
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func base64AgreesWithRFC4648(plain: String, text: String) {
    let bare = String(text.prefix { $0 != "=" })
    #expect(Base64.encode(Array(plain.utf8), padded: true) == text)
    #expect(Base64.encode(Array(plain.utf8), padded: false) == bare)
    #expect(Base64.decode(text, padded: true) == Array(plain.utf8))
    #expect(Base64.decode(bare, padded: false) == Array(plain.utf8))
    #expect(bare == text || Base64.decode(bare, padded: true) == nil)
    #expect(bare == text || Base64.decode(text, padded: false) == nil)
  }

  @Test(
    arguments: [
      "A", "A===", "====", "Zh==", "Zm9=", "Zm9v\n", "Zm 9v", "Zm9v====", "Zg=a", "Zm-_", "=Zg=",
    ])
  func base64Refuses(text: String) {
    #expect(Base64.decode(text, padded: true) == nil)
    #expect(Base64.decode(text, padded: false) == nil)
  }

  @Test func everyByteSurvivesBase64() {
    for count in 0..<70 {
      let raw = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
      #expect(Base64.decode(Base64.encode(raw, padded: true), padded: true) == raw)
      #expect(Base64.decode(Base64.encode(raw, padded: false), padded: false) == raw)
    }
  }

  @Test func constantTimeEqualityIsEquality() {
    func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool { equalConstantTime(a.span, b.span) }
    #expect(equal([1, 2], [1, 2]))
    #expect(!equal([1, 2], [1, 3]))
    #expect(!equal([1, 2], [1]))
    #expect(equal([], []))
  }
}
