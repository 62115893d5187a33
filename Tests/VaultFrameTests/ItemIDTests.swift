import Testing
import VaultFrame

struct ItemIDTests {
  @Test func idIsWrittenAsItIsRead() {
    let text = "00112233-4455-4677-8899-aabbccddeeff"
    #expect(ItemID(text)?.text == text)
  }

  @Test(arguments: [
    "00000000-0000-0000-0000-000000000000", "00112233445546778899aabbccddeeff",
    "00112233-4455-4677-8899-AABBCCDDEEFF", "00112233-4455-4677-8899-aabbccddeef",
    "0011-22334455-4677-8899-aabbccddeeff", "", "-",
    "00112233-4455-4677-8899-aabbccddeeff ",
  ])
  func otherFormsAreRefused(text: String) { #expect(ItemID(text) == nil) }
}
