import VaultFault

@testable import VaultCrypto

/// Whole Cobblestone-256 messages, for tests.
enum Message {
  /// Seals a plaintext that is pushed in pieces of `step` bytes.
  static func seal(
    _ plaintext: [UInt8], key: [UInt8], context: [UInt8] = [], step: Int = .max
  ) throws(Fault) -> [UInt8] {
    var sealer = try CobblestoneSealer(inputKey: key.span, context: context)
    var out = sealer.head
    var start = 0
    while start < plaintext.count {
      let end = start + min(step, plaintext.count - start)
      var offset = out.count
      out += [UInt8](repeating: 0xaa, count: sealer.sealedBytes(pushing: end - start))
      try sealer.push(plaintext.span.extracting(start..<end), into: &out, at: &offset)
      guard offset == out.count else { throw Fault(.internalFault, "offset \(offset)") }
      start = end
    }
    var offset = out.count
    out += [UInt8](repeating: 0xaa, count: 16)
    try sealer.finish(into: &out, at: &offset)
    return out
  }

  /// Opens a message as a stream would; also gives what was released before a fault.
  static func open(
    _ message: [UInt8], key: [UInt8], context: [UInt8] = []
  ) -> (released: [UInt8], fault: Fault?) {
    var released: [UInt8] = []
    do throws(Fault) {
      let head = Array(message.prefix(56))
      var opener = try CobblestoneOpener(inputKey: key.span, context: context, head: head.span)
      var number: UInt64 = 0
      var start = 56
      while true {
        let end = min(start + 16400, message.count)
        let isLast = end - start < 16400
        released += try chunk(
          Array(message[start..<end]), number, isLast: isLast, of: &opener)
        if isLast { return (released, nil) }
        number += 1
        start = end
      }
    } catch { return (released, error) }
  }

  /// Opens one chunk into a buffer with margins, which must stay as they were.
  static func chunk(
    _ sealed: [UInt8], _ number: UInt64, isLast: Bool, of opener: inout CobblestoneOpener
  ) throws(Fault) -> [UInt8] {
    let count = max(sealed.count - 16, 0)
    var out = [UInt8](repeating: 0xaa, count: count + 14)
    var offset = 7
    do throws(Fault) {
      try opener.open(
        chunk: sealed.span, number: number, isLast: isLast, into: &out, at: &offset)
    } catch {
      let clean = out[7..<7 + count].allSatisfy { $0 == 0 || $0 == 0xaa }
      guard clean, offset == 7 else { throw Fault(.internalFault, "released: \(error.reason)") }
      throw error
    }
    let margins = out.prefix(7) + out.suffix(7)
    guard offset == 7 + count, margins.allSatisfy({ $0 == 0xaa })
    else { throw Fault(.internalFault, "wrote outside") }
    return Array(out[7..<7 + count])
  }
}
