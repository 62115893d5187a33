import Testing
import VaultFault

@testable import VaultCrypto

private let key = [UInt8](0..<32)
private let chunk = 16384

struct CobblestoneTests {
  @Test(
    arguments: [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 500],
    [1, 15, 16, 1000, chunk - 1, chunk, chunk + 1, 1 << 20])
  func everySizeSurvivesEveryWriteSize(size: Int, step: Int) throws {
    let text = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    let message = try Message.seal(text, key: key, context: [1, 2], step: step)
    #expect(message.count == 56 + size + (size / chunk + 1) * 16)
    let (released, fault) = Message.open(message, key: key, context: [1, 2])
    #expect(fault == nil)
    #expect(released == text)
  }

  @Test func everyTruncationIsRefused() throws {
    let message = try Message.seal([UInt8](repeating: 3, count: chunk + 40), key: key)
    let lengths = Array(0...80) + Array(16400..<message.count)
    for length in lengths {
      let (released, fault) = Message.open(Array(message[..<length]), key: key)
      #expect(fault?.kind == .bodyDamaged, "length \(length)")
      #expect(released.count <= chunk && released.allSatisfy { $0 == 3 })
    }
    print("cobblestone-256: \(lengths.count) truncations refused")
  }

  @Test func everyFlippedBitOfASmallMessageIsRefused() throws {
    let message = try Message.seal([UInt8](repeating: 3, count: 40), key: key)
    for bit in 0..<message.count * 8 {
      var other = message
      other[bit / 8] ^= 1 << (bit % 8)
      let (released, fault) = Message.open(other, key: key)
      #expect(fault?.kind == .bodyDamaged, "bit \(bit)")
      #expect(released.isEmpty)
    }
    print("cobblestone-256: \(message.count * 8) flipped bits refused")
  }

  @Test func theFaultNamesTheChunk() throws {
    var message = try Message.seal([UInt8](repeating: 3, count: 3 * chunk), key: key)
    message[56 + 2 * 16400 + 9] ^= 1
    let (released, fault) = Message.open(message, key: key)
    #expect(released.count == 2 * chunk)
    #expect(fault?.reason.contains("chunk 2 ") == true)
  }

  @Test func aRefusedChunkDoesNotSpoilTheNext() throws {
    var message = try Message.seal([UInt8](repeating: 3, count: chunk + 5), key: key)
    let good = Array(message[56..<16456])
    message[60] ^= 1
    let bad = Array(message[56..<16456])
    let head = Array(message[..<56])
    var opener = try CobblestoneOpener(inputKey: key.span, context: [], head: head.span)
    for _ in 0..<3 {
      #expect((try? Message.chunk(bad, 0, isLast: false, of: &opener)) == nil)
      #expect((try? Message.chunk(good, 1, isLast: false, of: &opener)) == nil)
      #expect((try? Message.chunk(good, 0, isLast: true, of: &opener)) == nil)
      let opened = try Message.chunk(good, 0, isLast: false, of: &opener)
      #expect(opened == [UInt8](repeating: 3, count: chunk))
    }
  }

  @Test func anotherKeyOrContextIsStoppedByTheCommitment() throws {
    let message = try Message.seal([1, 2, 3], key: key, context: [7])
    var other = key
    other[31] ^= 1
    #expect(Message.open(message, key: other, context: [7]).fault?.kind == .bodyDamaged)
    #expect(Message.open(message, key: key, context: [8]).fault?.kind == .bodyDamaged)
    #expect(Message.open(message, key: key, context: []).fault?.kind == .bodyDamaged)
  }

  @Test func sealingTwiceGivesTwoMessages() throws {
    #expect(try Message.seal([1], key: key) != Message.seal([1], key: key))
  }

  @Test func c11TheCounterIsWiderThan32Bits() throws {
    let salt = [UInt8](repeating: 9, count: 24)
    for first in [UInt64(0), 255, 256, 1 << 32, CobblestoneSealer.maxChunks - 1] {
      var sealer = try CobblestoneSealer(
        inputKey: key.span, context: [], salt: salt, firstChunk: first)
      var out = [UInt8](repeating: 0, count: 116)
      var offset = 0
      let text = [UInt8](repeating: 5, count: 100)
      try sealer.push(text.span, into: &out, at: &offset)
      try sealer.finish(into: &out, at: &offset)
      let head = sealer.head
      var opener = try CobblestoneOpener(inputKey: key.span, context: [], head: head.span)
      for number in [UInt64(0), 255, 256, 1 << 32, CobblestoneSealer.maxChunks - 1] {
        let opened = try? Message.chunk(out, number, isLast: true, of: &opener)
        #expect((opened == text) == (number == first), "\(first) \(number)")
      }
    }
  }

  @Test func c11ChunksPastTheLimitAreRefused() throws {
    let salt = [UInt8](repeating: 9, count: 24)
    var sealer = try CobblestoneSealer(
      inputKey: key.span, context: [], salt: salt, firstChunk: CobblestoneSealer.maxChunks - 1)
    var out = [UInt8](repeating: 0, count: 20000)
    var offset = 0
    let text = [UInt8](repeating: 5, count: chunk)
    try sealer.push(text.span, into: &out, at: &offset)
    #expect(offset == 16400)
    #expect(kind { () throws(Fault) in try sealer.finish(into: &out, at: &offset) } == .tooLarge)
    let head = sealer.head
    var opener = try CobblestoneOpener(inputKey: key.span, context: [], head: head.span)
    let sealed = [UInt8](repeating: 0, count: 16)
    let found = kind { () throws(Fault) in
      _ = try Message.chunk(sealed, CobblestoneSealer.maxChunks, isLast: true, of: &opener)
    }
    #expect(found == .bodyDamaged)
  }

  @Test func aSealedMessageCannotGoOn() throws {
    var sealer = try CobblestoneSealer(inputKey: key.span, context: [])
    var out = [UInt8](repeating: 0, count: 100)
    var offset = 0
    let text: [UInt8] = [1]
    try sealer.finish(into: &out, at: &offset)
    #expect(
      kind { () throws(Fault) in try sealer.finish(into: &out, at: &offset) } == .internalFault)
    #expect(
      kind { () throws(Fault) in try sealer.push(text.span, into: &out, at: &offset) }
        == .internalFault)
    #expect(offset == 16)
  }

  @Test func aSmallBufferIsRefusedBeforeAnyByteIsWritten() throws {
    var sealer = try CobblestoneSealer(inputKey: key.span, context: [])
    let text = [UInt8](repeating: 5, count: chunk)
    var out = [UInt8](repeating: 0, count: 16399)
    var offset = 0
    #expect(
      kind { () throws(Fault) in try sealer.push(text.span, into: &out, at: &offset) }
        == .internalFault)
    #expect(out.allSatisfy { $0 == 0 } && offset == 0)
    out.append(0)
    try sealer.push(text.span, into: &out, at: &offset)
    #expect(offset == 16400 && sealer.chunkNumber == 1 && sealer.bytesInChunk == 0)
  }
}
