import Testing
import VaultCrypto
import VaultFault
import VaultFrame

@testable import VaultSeal

@Suite struct ReceiptRewriteTests {
  private let old: Identity
  private let receipts: ReceiptRewriter
  private let envelope: Envelope

  init() throws {
    old = try Identity()
    let object = try Samples.object([1], Samples.items[0], Samples.options([old.recipient]))
    envelope = try Samples.envelope(object)
    let new = try Identity().recipient
    receipts = ReceiptRewriter(
      EnvelopeRewriter(try Keyring([old]), .replace(by: [new], only: false)),
      expecting: Expectations())
  }

  private var quotedEnvelope: String {
    String(decoding: envelope.payload, as: UTF8.self)
      .split(separator: "\n").map { $0 + "\\n" }.joined()
  }

  private func rewritten(_ line: String) throws(Fault) -> String? {
    try receipts.rewritten(Array(line.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func kind(_ line: String) -> FaultKind? {
    do throws(Fault) { _ = try rewritten(line) } catch { return error.kind }
    return nil
  }

  @Test func everyOtherByteOfALineStays() throws {
    let head = "  {\"x\" : 1.10,\t\"envelope\" : \""
    let tail = "\" , \"row\":{\"a\":\"\\u0041\\/\"}, \"later\":[null,  1e3]}\r\n"
    let line = try #require(try rewritten(head + quotedEnvelope + tail))
    #expect(
      line.utf8.starts(with: head.utf8)
        && line.utf8.suffix(tail.utf8.count).elementsEqual(tail.utf8))
    #expect(!line.contains(quotedEnvelope))
  }

  @Test(arguments: ["{\"receipt\":\"vault/1\",\"status\":\"failed\"}", "{\"envelope\":null}", "{}"])
  func aLineWithoutAnEnvelopeHasNothingToRewrite(_ line: String) throws {
    #expect(try rewritten(line) == nil)
  }

  @Test func aLineThatNamesAnotherItemOrBodyIsRefused() {
    let other = Samples.items[1].text
    let body = "\(String(repeating: "A", count: 32)) \(String(repeating: "A", count: 43))"
    #expect(kind("{\"item\":\"\(other)\",\"envelope\":\"\(quotedEnvelope)\"}") == .otherObject)
    #expect(kind("{\"body\":\"\(body)\",\"envelope\":\"\(quotedEnvelope)\"}") == .otherObject)
    let own = "{\"item\":\"\(envelope.item.text)\",\"body\":\"\(envelope.body.text)\","
    #expect(kind(own + "\"envelope\":\"\(quotedEnvelope)\"}") == nil)
  }

  @Test(arguments: ["", "{", "[]", "{\"envelope\":1}", "{\"envelope\":\"x\",\"envelope\":\"x\"}"])
  func aLineThatIsNoReceiptIsRefused(_ line: String) { #expect(kind(line) == .badReceipt) }

  @Test func aDamagedEnvelopeIsNamed() {
    let cut = quotedEnvelope.dropLast(4)
    #expect(kind("{\"envelope\":\"\(cut)\"}") == .envelopeMalformed)
    let changed = quotedEnvelope.replacing("slot x25519 ", with: "slot x25519 0").dropLast(0)
    #expect(kind("{\"envelope\":\"\(changed)\"}") == .envelopeMalformed)
  }
}
