import VaultFault
import VaultText

@testable import VaultFrame

let someItem = ItemID("00112233-4455-4677-8899-aabbccddeeff")
let itemLine = "item 00112233-4455-4677-8899-aabbccddeeff\n"
let labelText = "vault-label/1\n" + itemLine
let sha3Line = "sha3-256 " + String(repeating: "0a", count: 32) + "\n"

/// Base64 of `count` bytes.
func base64(_ count: Int, _ byte: UInt8 = 7) -> String {
  Base64.encode([UInt8](repeating: byte, count: count))
}

let bodyLine = "body \(base64(24)) \(base64(32))\n"
let keySlot = "slot key 0102030405060708 \(base64(32)) \(base64(48))\n"
let sealLines = "check \(base64(16))\nmac \(base64(32))\n"
let envelopeText = "vault-envelope/1\n" + itemLine + bodyLine + keySlot + sealLines
let manifestText = "vault-manifest/1\nbody \(base64(32))\nsize 5\ndigest " + sha3Line
let abortText = "vault-abort/1\nstage vault-hash\nexit 66\nerror incomplete\n"

/// The bytes of one frame, right or wrong; the flags are those of its type if none are given.
func frame(_ type: Character, _ payload: [UInt8], index: UInt64 = 0, flags: UInt8? = nil) -> [UInt8]
{
  header(type, payload.count, index: index, flags: flags) + payload
}

/// The same with a text.
func frame(_ type: Character, _ text: String, index: UInt64 = 0) -> [UInt8] {
  frame(type, Array(text.utf8), index: index)
}

/// The header of a frame.
func header(
  _ type: Character, _ length: Int, index: UInt64 = 0, flags: UInt8? = nil, reserved: UInt64 = 0
) -> [UInt8] {
  let transient: UInt8 = "LSX".contains(type) ? 1 : 0
  return [type.asciiValue ?? 0, flags ?? transient] + bigEndian(reserved, bytes: 2)
    + bigEndian(UInt64(length), bytes: 4) + bigEndian(index, bytes: 8)
}

/// The prologue of a kind.
func prologue(_ kind: Character) -> [UInt8] {
  Array("VAULT".utf8) + [1, kind.asciiValue ?? 0, 10]
}

/// An end frame.
func end(_ first: UInt64, _ second: UInt64, _ third: UInt64) -> [UInt8] {
  frame("Z", EndCounts(first, second, third).bytes)
}

/// A part frame.
func part(_ number: UInt64, _ bytes: UInt64, index: UInt64) -> [UInt8] {
  let payload = bigEndian(number, bytes: 4) + [0, 0, 0, 0] + bigEndian(bytes, bytes: 8)
  return frame("P", payload + [UInt8](repeating: 3, count: 32), index: index)
}

/// Good items, each without its prologue; nothing in them is checked with a key.
enum Items {
  static let plain =
    frame("L", labelText) + frame("D", [1, 2, 3]) + frame("D", [4], index: 1)
    + frame("H", sha3Line) + frame("L", labelText, index: 1) + end(4, 2, 0)
  static let sealed =
    frame("E", envelopeText) + frame("C", [UInt8](repeating: 9, count: 56 + 5 + 16))
    + frame("M", [UInt8](repeating: 8, count: 72)) + end(5, 1, offset(5))
  static let labelled =
    frame("L", labelText) + frame("E", envelopeText)
    + frame("C", [UInt8](repeating: 9, count: 56 + 16))
    + frame("M", [UInt8](repeating: 8, count: 90))
    + frame("L", labelText, index: 1) + end(0, 1, offset(0))
  static let parts =
    frame("L", labelText) + frame("D", [1, 2, 3]) + part(1, 3, index: 0)
    + frame("D", [1], index: 1) + frame("D", [2], index: 2) + part(2, 2, index: 1)
    + frame("S", "vault-summary/1\n") + end(5, 3, 0)
  static let slice =
    frame("E", envelopeText) + frame("T", [UInt8](repeating: 9, count: 56 + 16 + 10), index: 70)
    + frame("M", [UInt8](repeating: 8, count: 72))
    + frame("C", [UInt8](repeating: 9, count: 16_400), index: 63)
    + frame("C", [UInt8](repeating: 9, count: 32_800), index: 64)
    + end(70 * 16_384 + 10, 2, offset(70 * 16_384 + 10))

  static let all: [Character: [UInt8]] = ["p": plain, "s": sealed, "c": parts, "r": slice]

  private static func offset(_ dataBytes: UInt64) -> UInt64 {
    BodyLayout.manifestOffset(
      dataBytes: dataBytes, envelopeBytes: UInt64(envelopeText.utf8.count))
  }
}

/// A whole stream of one item.
func stream(_ kind: Character) -> [UInt8] { prologue(kind) + (Items.all[kind] ?? []) }

/// A batch of these items.
func batch(_ kind: Character, _ items: [[UInt8]], aborted: UInt64 = 0) -> [UInt8] {
  let count = UInt64(items.count)
  return prologue("b") + items.flatMap { prologue(kind) + $0 } + prologue("e")
    + end(count, count - aborted, aborted)
}
