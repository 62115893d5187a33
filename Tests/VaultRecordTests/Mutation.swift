// A small repeatable source of numbers, and changes of a text as a fuzzer makes them.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

func mutated(_ seed: [UInt8], _ random: inout SplitMix) -> [UInt8] {
  var text = seed
  let tokens = Array(#"{}[]",:\0123456789.eE+-tfn u/"#.utf8) + [0x80, 0xff, 0x0a, 0x00, 0xc3]
  for _ in 0..<Int.random(in: 1...4, using: &random) {
    guard !text.isEmpty else { return text }
    let at = Int.random(in: 0..<text.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: text[at] = tokens.randomElement(using: &random) ?? 0
    case 1: text.insert(tokens.randomElement(using: &random) ?? 0, at: at)
    case 2: text.remove(at: at)
    case 3: text.removeSubrange(at...)
    default:
      let end = Int.random(in: at..<text.count, using: &random)
      text.insert(contentsOf: text[at...end], at: Int.random(in: 0...text.count, using: &random))
    }
  }
  return text
}
