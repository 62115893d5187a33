import Testing
import VaultFault

@Suite struct QuotedTests {
  @Test(arguments: [
    ("a b", #""a b""#), ("", #""""#), (#"a"\b"#, #""a\"\\b""#), ("a\nb\u{7f}", #""a\x0ab\x7f""#),
    ("é日🩻", #""é日🩻""#), ("\u{202e}x", #""\xe2\x80\xaex""#), ("\u{85}", #""\xc2\x85""#),
  ])
  func onlyWhatIsPrintableIsShownAsItIs(text: String, shown: String) {
    #expect(quoted(text) == shown)
  }

  @Test(arguments: [
    ([0x66, 0xff], #""f\xff""#), ([0xc3], #""\xc3""#), ([0xc3, 0x28], #""\xc3(""#),
    ([0xed, 0xa0, 0x80], #""\xed\xa0\x80""#), ([0xf8, 0x80], #""\xf8\x80""#),
    ([0xc3, 0xa9, 0x80], #""é\x80""#), ([0xef, 0xbf, 0xbd], "\"\u{fffd}\""),
    ([0xc0, 0x80], #""\xc0\x80""#),
  ])
  func bytesThatAreNotTextAreShownAsBytes(bytes: [Int], shown: String) {
    #expect(quoted(utf8: bytes.map { UInt8($0) }) == shown)
  }

  @Test func aLongStringIsCutBetweenCharacters() {
    let exact = String(repeating: "x", count: 200)
    #expect(quoted(exact) == "\"\(exact)\"")
    #expect(quoted(exact + "y") == "\"\(exact)\"…")
    let accents = String(repeating: "x", count: 199) + "é"
    #expect(quoted(accents) == "\"\(String(repeating: "x", count: 199))\"…")
  }
}
