import Testing

@testable import VaultFrame

struct PrologueTests {
  @Test(arguments: StreamKind.allCases)
  func prologueIsReadAsItIsWritten(kind: StreamKind) throws {
    let bytes = Prologue.bytes(kind)
    #expect(try Prologue.kind(in: bytes.span) == kind)
  }

  static let refused: [(String, [UInt8], String)] = [
    ("another magic", Array("VAULX".utf8) + [1, 0x70, 10], "not-a-stream"),
    ("text", Array("hello, world".utf8), "not-a-stream"),
    ("eighth byte", Array("VAULT".utf8) + [1, 0x70, 0], "not-a-stream"),
    ("version", Array("VAULT".utf8) + [2, 0x70, 10], "unsupported-version"),
    ("kind", Array("VAULT".utf8) + [1, 0x71, 10], "unknown-kind"),
    ("upper case", Array("VAULT".utf8) + [1, 0x50, 10], "unknown-kind"),
    ("reserved kind", prologue("f"), "wrong-kind"),
    ("end first", prologue("e"), "wrong-kind"),
    ("carriage return", Array("VAULT".utf8) + [1, 0x70, 13], "text-damage"),
    ("mark", [0xEF, 0xBB, 0xBF] + Array("VAULT".utf8), "text-damage"),
    ("utf-16", [0x56, 0, 0x41, 0, 0x55, 0, 0x4C, 0], "text-damage"),
    ("utf-16 with mark", [0xFF, 0xFE, 0x56, 0, 0x41, 0, 0x55, 0], "text-damage"),
    ("nothing", [], "incomplete"),
    ("cut", Array("VAULT".utf8), "incomplete"),
    ("short and other", Array("hi".utf8), "not-a-stream"),
  ]

  @Test(arguments: refused)
  func otherBeginningsAreRefused(what: String, bytes: [UInt8], name: String) {
    #expect(read(bytes).result == name, "\(what)")
  }
}
