import VaultFault

@testable import VaultFrame

/// What a stream says, and `ok` or the name of its fault.
struct Reading: Equatable {
  var events: [StreamEvent] = []
  var payloads: [[UInt8]] = []
  var result = "ok"
}

extension Reading {
  /// The same with chunks of at most `kept` bytes.
  func keeping(_ kept: Int) -> Reading {
    var shorter = self
    for (place, event) in events.enumerated() {
      guard case .frame(let header) = event, header.type == .chunks else { continue }
      shorter.payloads[place] = Array(payloads[place].prefix(kept))
    }
    return shorter
  }
}

/// Reads a stream that is fed in pieces of `size` bytes; of chunks it keeps `kept` bytes, or all.
func read(
  _ bytes: [UInt8], accepting kinds: [StreamKind] = [.plain, .sealed, .parts, .slice],
  piece size: Int = .max, keeping kept: Int? = nil
) -> Reading {
  var reader = StreamReader(accepting: kinds)
  var reading = Reading()
  do throws(Fault) {
    var from = 0
    while from < bytes.count {
      let until = min(bytes.count, size == .max ? bytes.count : from + size)
      let piece = bytes.span.extracting(from..<until)
      from += kept.map { reader.push(piece, keeping: $0) } ?? reader.push(piece)
      while let event = try reader.next() {
        reading.events.append(event)
        reading.payloads.append(reader.payload.copied())
      }
    }
    try reader.finish()
  } catch { reading.result = error.kind.rawValue }
  return reading
}

/// The name of the fault, or `ok`.
func fault(_ body: () throws(Fault) -> Void) -> String {
  do throws(Fault) { try body() } catch { return error.kind.rawValue }
  return "ok"
}

/// A small repeatable source of numbers.
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

/// A few changes as a fuzzer makes them.
func mutated(_ seed: [UInt8], _ random: inout SplitMix) -> [UInt8] {
  var bytes = seed
  for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
    let at = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
    case 2: bytes.remove(at: at)
    case 3: bytes[at] = [0, 0x0A, 0x20, 0x25, 0xFF].randomElement(using: &random) ?? 0
    default:
      let last = min(bytes.count - 1, at + Int.random(in: 0..<64, using: &random))
      bytes.insert(
        contentsOf: bytes[at...last], at: Int.random(in: 0...bytes.count, using: &random))
    }
  }
  return bytes
}
