import Testing

@testable import VaultFrame

/// One fault each, of the rules that need no key.
struct FrameRefusalTests {
  static let plain: [(String, [UInt8], String)] = [
    ("no label", frame("D", [1]), "frame-order"),
    ("end first", end(0, 0, 0), "frame-order"),
    ("data after second label", start + second + frame("D", [1]), "frame-order"),
    ("digest after second label", start + second + frame("H", sha3Line), "frame-order"),
    ("third label, no digest", start + second + header("L", 9, index: 2), "frame-order"),
    ("data after digest", start + frame("H", sha3Line) + frame("D", [1]), "frame-order"),
    ("envelope", start + frame("E", envelopeText), "frame-order"),
    ("third label", start + frame("H", sha3Line) + second + second, "frame-order"),
    (
      "digest after label", start + frame("H", sha3Line) + second + frame("H", sha3Line, index: 1),
      "frame-order"
    ),
    ("data index", start + frame("D", [1], index: 1), "frame-index"),
    ("digest index", start + frame("H", sha3Line, index: 1), "frame-index"),
    ("empty data", start + header("D", 0), "frame-length"),
    ("empty label", header("L", 0), "frame-length"),
    ("long data, cut", start + header("D", 1 << 20 + 1), "frame-too-long"),
    ("wrong place, cut", start + header("M", 72), "frame-order"),
    ("wrong index, cut", start + header("D", 9, index: 7), "frame-index"),
    ("short end", start + frame("H", sha3Line) + header("Z", 23), "frame-length"),
    ("long end", start + frame("H", sha3Line) + header("Z", 25), "frame-too-long"),
    ("end index", start + frame("H", sha3Line) + header("Z", 24, index: 1), "frame-index"),
    ("bytes", start + frame("H", sha3Line) + end(1, 0, 0), "end-mismatch"),
    ("frames", start + frame("H", sha3Line) + end(0, 1, 0), "end-mismatch"),
    ("third", start + frame("H", sha3Line) + end(0, 0, 1), "end-mismatch"),
  ]
  static let start = frame("L", labelText)
  static let second = frame("L", labelText, index: 1)

  @Test(arguments: plain)
  func plainItems(what: String, frames: [UInt8], name: String) {
    #expect(read(prologue("p") + frames).result == name, "\(what)")
  }

  static let envelope = frame("E", envelopeText)
  static let full = frame("C", [UInt8](repeating: 0, count: 1_049_656))
  static let short = frame("C", [UInt8](repeating: 0, count: 72))
  static let sealed: [(String, [UInt8], String)] = [
    ("label at rest", frame("L", labelText), "frame-order"),
    ("no envelope", short, "frame-order"),
    ("second envelope", envelope + header("E", 9), "frame-order"),
    ("no chunks", envelope + header("M", 72), "frame-order"),
    ("manifest before the last chunk", envelope + full + header("M", 72), "frame-order"),
    ("chunks after the last chunk", envelope + short + header("C", 16, index: 1), "frame-order"),
    ("first index", envelope + header("C", 72, index: 64), "frame-index"),
    ("second index", envelope + full + header("C", 16, index: 63), "frame-index"),
    ("head cut", envelope + header("C", 71), "frame-length"),
    ("tag cut", envelope + header("C", 56 + 16_400 + 15), "frame-length"),
    ("a full chunk alone", envelope + header("C", 56 + 16_400), "frame-length"),
    ("64 chunks and more", envelope + header("C", 1_049_657), "frame-too-long"),
    ("head in the second", envelope + full + header("C", 1_049_656, index: 64), "frame-length"),
    ("short manifest", envelope + short + header("M", 71), "frame-length"),
    (
      "second manifest",
      envelope + short + frame("M", [UInt8](repeating: 0, count: 72)) + header("M", 72),
      "frame-order"
    ),
    ("data", envelope + header("D", 1), "frame-order"),
  ]

  @Test(arguments: sealed)
  func sealedItems(what: String, frames: [UInt8], name: String) {
    #expect(read(prologue("s") + frames).result == name, "\(what)")
  }

  static let data = frame("D", [1, 2, 3])
  static let parts: [(String, [UInt8], String)] = [
    ("part first", header("P", 48), "frame-order"),
    ("no part", data + header("S", 5), "frame-order"),
    ("part number", data + part(2, 3, index: 0), "part-mismatch"),
    ("part bytes", data + part(1, 4, index: 0), "part-mismatch"),
    ("part index", data + part(1, 3, index: 1), "frame-index"),
    ("part after part", data + part(1, 3, index: 0) + header("P", 48, index: 1), "frame-order"),
    ("no summary", data + part(1, 3, index: 0) + header("Z", 24), "frame-order"),
    (
      "data after summary", data + part(1, 3, index: 0) + frame("S", "x") + header("D", 1),
      "frame-order"
    ),
    (
      "reserved", data + frame("P", [0, 0, 0, 1, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 40)),
      "bad-reserved"
    ),
  ]

  @Test(arguments: parts)
  func partsItems(what: String, frames: [UInt8], name: String) {
    #expect(read(prologue("c") + frames).result == name, "\(what)")
  }

  static let abort = frame("X", abortText)
  static let badBatches: [(String, [UInt8], String)] = [
    ("cut after the begin", prologue("b"), "incomplete"),
    ("cut after an item", prologue("b") + stream("p"), "incomplete"),
    ("begin inside", prologue("b") + prologue("b"), "wrong-kind"),
    ("two kinds", prologue("b") + stream("p") + stream("s"), "wrong-kind"),
    (
      "junk between", prologue("b") + stream("p") + Array("VAULX".utf8) + [1, 1, 1], "not-a-stream"
    ),
    ("end of nothing", prologue("b") + prologue("e"), "incomplete"),
    ("label in the end", prologue("b") + prologue("e") + header("L", 5), "frame-order"),
    ("items begun", prologue("b") + prologue("e") + end(1, 0, 0), "end-mismatch"),
    ("items ended", prologue("b") + stream("p") + prologue("e") + end(1, 0, 1), "end-mismatch"),
    (
      "abort counted as end", prologue("b") + prologue("p") + abort + prologue("e") + end(1, 1, 0),
      "end-mismatch"
    ),
    ("item after the end", batch("p", []) + stream("p"), "trailing-bytes"),
    ("aborted batch", prologue("b") + stream("p") + prologue("e") + abort, "ok"),
  ]

  @Test(arguments: badBatches)
  func batchesAreRefused(what: String, bytes: [UInt8], name: String) {
    #expect(read(bytes).result == name, "\(what)")
  }
}
