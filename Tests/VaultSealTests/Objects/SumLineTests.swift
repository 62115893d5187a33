import Testing
import VaultMeasure

@Suite struct SumLineTests {
  @Test(arguments: ["plain", " lead", "-", "a\nb", "a\\b", "a\rb", "\\", "*star", "日本"])
  func b12EveryNameComesBackFromItsLine(_ name: String) {
    let line = SumLine(digest: [UInt8](repeating: 0xAB, count: 32), name: Array(name.utf8))
    #expect(line.bytes.last == 0x0A)
    #expect(line.bytes.dropLast().firstIndex(of: 0x0A) == nil)
    #expect(SumLine(line.bytes.dropLast()) == line)
    if line.bytes.first != UInt8(ascii: "\\") {
      #expect(SumLine(line.bytes.dropLast() + [0x0D]) == line)
    }
  }

  @Test(arguments: ["", "abc  x", String(repeating: "a", count: 64) + " x"])
  func b12WhatIsNoLineIsNone(_ text: String) {
    #expect(SumLine(Array(text.utf8)[...]) == nil)
  }
}
