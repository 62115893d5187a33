import Testing
import VaultFault
import VaultFrame

@testable import VaultSeal

/// Slices that do not answer the range: no byte comes out of any.
struct SliceForgeryTests {
  // Chunks 62 to 66 of 70 and the tail; the range begins and ends within a chunk.
  private let sample: SealedSample
  private let other: SealedSample
  private let twin: SealedSample
  private let good: Frames
  private let range = ByteRange.closed(first: 62 * 16_384 + 3, last: 66 * 16_384 + 9)

  init() throws {
    sample = try SealedSample(bytes: 70 * 16_384 + 11)
    other = try SealedSample(bytes: 70 * 16_384 + 12)
    twin = try SealedSample(bytes: 70 * 16_384 + 11, item: sample.item)
    good = Frames(try MadeSlice(range, of: sample.object).bytes)
  }

  @Test func theGoodSliceOpens() {
    let opened = OpenedRange(good.stream, range, sample.keys)
    #expect(opened.fault == nil)
    #expect(opened.released == Array(sample.data[62 * 16_384 + 3...66 * 16_384 + 9]))
    #expect(good.all.map { $0[0] } == Array("ETMCCZ".utf8))
  }

  @Test func framesOfAnotherPlaceAreRefused() throws {
    let zero = [UInt8](repeating: 0, count: 16_400)
    let (c62, c63) = (Array(chunks(0)[..<16_400]), Array(chunks(0)[16_400...]))
    let second = Frames.chunks(64, chunks(1))
    let whole = Frames.chunks(62, c62 + c63)
    let border = [Frames.chunks(62, c62), Frames.chunks(63, c63), second]
    let cases: [(String, [[UInt8]], String)] = [
      ("missing first frame", [second], "frame-index"),
      ("missing first chunk", [Frames.chunks(63, c63), second], "frame-index"),
      ("an extra chunk before", [Frames.chunks(61, zero + c62 + c63), second], "frame-index"),
      ("a repeated frame", [whole, whole, second], "frame-index"),
      ("reordered frames", [second, whole], "frame-index"),
      ("no chunks", [], "frame-order"),
      ("one frame for both", [Frames.chunks(62, c62 + c63 + chunks(1))], "frame-length"),
      ("a border elsewhere", border, "frame-length"),
      ("reordered chunks", [Frames.chunks(62, c63 + c62), second], "body-damaged"),
      ("a repeated chunk", [Frames.chunks(62, c62 + c62), second], "body-damaged"),
      ("other bytes", [Frames.chunks(62, zero + zero), second], "body-damaged"),
      ("a missing last frame", [whole], "frame-order"),
      (
        "a missing last chunk", [whole, Frames.chunks(64, chunks(1).dropLast(16_400))],
        "frame-length"
      ),
      ("an extra chunk after", [whole, Frames.chunks(64, chunks(1) + zero)], "frame-length"),
      ("an extra frame after", [whole, second, Frames.chunks(67, zero)], "frame-order"),
    ]
    for (name, frames, fault) in cases {
      try refused(name, replacingChunks(frames), [fault])
    }
    print("slices with other frames: \(cases.count) refused, no byte out")
  }

  @Test func partsOfOtherObjectsAreRefused() throws {
    let theirs = Frames(try MadeSlice(range, of: other.object).bytes)
    let older = Frames(try MadeSlice(range, of: twin.object).bytes)
    var count = 0
    for source in [theirs, older] {
      for type in [FrameType.envelope, .tail, .manifest, .chunks] {
        var forged = good
        forged[type] = source[type]
        // Ends agree with the lengths that came.
        let faults: Set = ["body-mismatch", "manifest-damaged", "body-damaged", "end-mismatch"]
        try refused("\(type) of another", forged.stream, faults)
        count += 1
      }
    }
    print("slices with parts of other objects: \(count) refused, no byte out")
  }

  @Test func aWellSealedOtherObjectIsRefusedWhenOneIsExpected() throws {
    var expected = Expectation()
    let slice = try MadeSlice(range, of: twin.object).bytes
    expected.item = sample.item
    #expect(OpenedRange(slice, range, twin.keys, expecting: expected).name == "ok")
    let envelope = good[.envelope]
    expected.body = try Envelope(parsing: envelope.span.extracting(16..<envelope.count)).body
    let opened = OpenedRange(slice, range, twin.keys, expecting: expected)
    #expect(opened.name == "other-object" && opened.released.isEmpty)
    expected = Expectation()
    expected.objectBytes = UInt64(sample.object.count)
    #expect(OpenedRange(good.stream, range, sample.keys, expecting: expected).name == "ok")
    expected.objectBytes = UInt64(sample.object.count) + 1
    let short = ByteRange.closed(first: 0, last: 9)
    let small = OpenedRange(
      try MadeSlice(short, of: sample.object).bytes, short, sample.keys, expecting: expected)
    #expect(small.name == "other-object" && small.released.isEmpty)
    expected = Expectation()
    expected.sha256 = [UInt8](repeating: 0, count: 32)
    #expect(OpenedRange(good.stream, range, sample.keys, expecting: expected).name == "usage")
  }

  @Test func tailsAndEndsThatLieAreRefused() throws {
    let short = ByteRange.closed(first: 20_000, last: 20_010)
    let base = Frames(try MadeSlice(short, of: sample.object).bytes)
    var forged: [(String, [UInt8], Set<String>)] = []
    for index: UInt64 in [1, 69, 71, 1 << 38 - 1, 1 << 38, .max] {
      var frames = base
      frames[.tail] = header(.tail, index, frames[.tail])
      forged.append(("tail \(index)", frames.stream, ["body-damaged", "frame-index"]))
    }
    for byte in [16, 40, 72, 80, 85, 98] {
      var frames = base
      frames[.tail][byte] ^= 1
      forged.append(("bit \(byte) of the tail", frames.stream, ["body-mismatch", "body-damaged"]))
    }
    for byte in 16..<40 {
      var frames = base
      frames[.end][byte] ^= 1
      forged.append(("bit \(byte) of the end", frames.stream, ["end-mismatch"]))
    }
    forged.append(("cut before the end", Array(base.stream.dropLast(40)), ["incomplete"]))
    forged.append(("cut in the end", Array(base.stream.dropLast(1)), ["incomplete"]))
    for (name, stream, faults) in forged {
      let opened = OpenedRange(stream, short, sample.keys)
      #expect(opened.released.isEmpty && faults.contains(opened.name), "\(name): \(opened.name)")
    }
    print("slices with false tails and ends: \(forged.count) refused, no byte out")
  }

  @Test func theSliceOfAnotherRangeIsRefused() throws {
    var count = 0
    let asked: [ByteRange] = [
      .closed(first: 0, last: 0), .closed(first: 61 * 16_384, last: 66 * 16_384),
      .closed(first: 63 * 16_384, last: 66 * 16_384), .last(1), .from(62 * 16_384), .from(0),
      .closed(first: 62 * 16_384, last: 67 * 16_384),
      .closed(first: 62 * 16_384, last: 65 * 16_384),
    ]
    for range in asked {
      let opened = OpenedRange(good.stream, range, sample.keys)
      #expect(["frame-index", "frame-length", "frame-order"].contains(opened.name), "\(range)")
      #expect(opened.released.isEmpty, "\(range)")
      count += 1
    }
    print("slices of other ranges: \(count) refused, no byte out")
  }

  private func chunks(_ number: Int) -> [UInt8] {
    Array(good.all.filter { $0[0] == 0x43 }[number].dropFirst(16))
  }

  private func replacingChunks(_ frames: [[UInt8]]) -> [UInt8] {
    var forged = good
    forged.all = good.all.filter { ![0x43, 0x5A].contains($0[0]) } + frames + [good[.end]]
    return forged.stream
  }

  private func header(_ type: FrameType, _ index: UInt64, _ frame: [UInt8]) -> [UInt8] {
    FrameHeader(type, payloadLength: frame.count - 16, index: index).bytes + frame.dropFirst(16)
  }

  private func refused(_ name: String, _ stream: [UInt8], _ faults: Set<String>) throws {
    let opened = OpenedRange(stream, range, sample.keys)
    #expect(opened.released.isEmpty, "\(name)")
    #expect(faults.contains(opened.name), "\(name): \(opened.name)")
  }
}
