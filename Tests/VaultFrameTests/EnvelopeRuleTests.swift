import Testing
import VaultFault

@testable import VaultFrame

struct EnvelopeRuleTests {
  private static let derived = "slot derived 0102030405060708 \(base64(32))\n"
  static let slots: [(String, String, String)] = [
    ("one", keySlot, "ok"),
    ("detached", "detached\n", "ok"),
    ("unknown kind alone", "slot later\n", "ok"),
    ("the same twice", keySlot + keySlot, "ok"),
    ("64", String(repeating: keySlot, count: 64), "ok"),
    ("65", String(repeating: keySlot, count: 65), bad),
    ("65 of unknown kinds", String(repeating: "slot q\n", count: 65), bad),
    ("none", "", bad),
    ("detached and a slot", keySlot + "detached\n", bad),
    ("detached twice", "detached\ndetached\n", bad),
    ("detached with a field", "detached 1\n", bad),
    ("two derived", derived + derived, bad),
    ("no kind", "slot\n", bad),
    ("id too short", "slot key 01020304050607 \(base64(32)) \(base64(48))\n", bad),
    ("id in upper case", "slot key 010203040506070A \(base64(32)) \(base64(48))\n", bad),
    ("salt too short", "slot key 0102030405060708 \(base64(31)) \(base64(48))\n", bad),
    ("key too long", "slot key 0102030405060708 \(base64(32)) \(base64(49))\n", bad),
    ("a field more", "slot key 0102030405060708 \(base64(32)) \(base64(48)) x\n", bad),
    ("a field less", "slot derived 0102030405060708\n", bad),
    ("padding", "slot derived 0102030405060708 \(base64(32))=\n", bad),
    ("escape of zero", "slot later %00\n", bad),
    ("needless escape", "slot later %41\n", bad),
    ("kind is a prefix", "slots key\n", bad),
  ]
  static let bad = "envelope-malformed"

  @Test(arguments: slots)
  func slotsFollowTheirRules(what: String, lines: String, name: String) {
    let text = Array(("vault-envelope/1\n" + itemLine + bodyLine + lines + sealLines).utf8)
    let found = fault { () throws(Fault) in _ = try Envelope(parsing: text.span) }
    #expect(found == name, "\(what)")
  }

  @Test func envelopeOfMoreThan16KiBIsRefused() throws {
    func text(_ filler: Int) -> [UInt8] {
      let slot = "slot later " + String(repeating: "x", count: filler) + "\n"
      return Array(("vault-envelope/1\n" + itemLine + bodyLine + slot + sealLines).utf8)
    }
    let room = 16_384 - text(0).count
    let fits = text(room)
    let isOver = text(room + 1)
    #expect(try Envelope(parsing: fits.span).payload.count == 16_384)
    #expect(fault { () throws(Fault) in _ = try Envelope(parsing: isOver.span) } == Self.bad)
  }

  @Test(arguments: [
    "stage Vault", "stage a b", "exit 256", "exit -1", "error Bad", "error a/b", "error %20",
    "error " + String(repeating: "a", count: 41),
  ])
  func abortsHoldNamesAndNumbersOnly(line: String) {
    let name = line.prefix { $0 != " " } + " "
    let lines = abortText.split(separator: "\n").map { $0.hasPrefix(name) ? line : String($0) }
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    #expect(fault { () throws(Fault) in _ = try AbortOrigin(parsing: text.span) } == "bad-text")
  }
}
