import Testing
import VaultFault
import VaultFrame

@testable import VaultSeal

private let chunk = BodyLayout.chunkBytes
private let frame = 64 * chunk

struct SliceMakerTests {
  static let sizes = [
    0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk + 5, frame - 1, frame, frame + 1,
    frame + chunk, 2 * frame - chunk, 2 * frame, 3 * frame + 7 * chunk + 99,
  ]

  @Test(arguments: sizes)
  func everyBorderGivesExactlyTheRange(size: Int) throws {
    let sample = try SealedSample(bytes: size)
    let edges = Set(
      [0, chunk, 2 * chunk, frame, 2 * frame, size].flatMap { [$0 - 1, $0, $0 + 1] }
    )
    .filter { $0 >= 0 && $0 < size }.sorted()
    var ranges: [ByteRange] = [.last(1), .last(UInt64(size) + 5), .last(UInt64(chunk))]
    for first in edges {
      ranges.append(.from(UInt64(first)))
      for last in edges where last >= first {
        ranges.append(.closed(first: UInt64(first), last: UInt64(last)))
      }
    }
    for range in ranges { try check(range, sample) }
  }

  private func check(_ range: ByteRange, _ sample: SealedSample) throws {
    let wanted = try #require(range.resolved(in: UInt64(sample.data.count)))
    let expected = sample.data[Int(wanted.lowerBound)..<Int(wanted.upperBound)]
    let made = try MadeSlice(range, of: sample.object, step: 777_777)
    let opened = OpenedRange(made.bytes, range, sample.keys)
    #expect(opened.fault == nil && opened.released == Array(expected), "\(range)")
    try checkCost(made, range, dataBytes: UInt64(sample.data.count))
    // Of a stream every third is enough, and of its last bytes only so many wait in memory.
    if case .last(let count) = range, count > RangeWindow.maxSuffix { return }
    guard wanted.lowerBound % 3 == 0 else { return }
    let whole = OpenedRange(sample.object, range, sample.keys)
    #expect(whole.fault == nil && whole.released == Array(expected), "\(range) of a stream")
  }

  @Test func piecesOfAnySizeGiveTheSameSlice() throws {
    let sample = try SealedSample(bytes: 2 * frame + 3 * chunk + 1)
    let range = ByteRange.closed(first: UInt64(frame) - 5, last: UInt64(2 * frame) + 5)
    let first = try MadeSlice(range, of: sample.object, step: 1 << 20).bytes
    for step in [997, 16, 16_400] {
      #expect(try MadeSlice(range, of: sample.object, step: step).bytes == first)
    }
  }

  static let edges: [UInt64] = [
    0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_FFFF, 0x1_0000_0000, 0x1_0000_0001,
    0x100_0000_0000, 0x100_0000_3FFF,
  ]

  // The data of 2^31, 4 GiB and 2^40 bytes is imagined: only the bytes that are asked for exist.
  @Test(arguments: edges)
  func l02OffsetsHoldPastThirtyTwoBits(size: UInt64) throws {
    let object = try ImaginedObject(dataBytes: size)
    let marks: [UInt64] = [0] + SliceMakerTests.edges + [size - 1]
    for first in marks where first < size {
      for length: UInt64 in first == 0 || first > 1 << 33 ? [1, 3 << 20] : [1, 40_000] {
        let range = ByteRange.closed(first: first, last: first + length - 1)
        let made = try MadeSlice(range, total: object.total, read: object.bytes)
        try checkCost(made, range, dataBytes: size)
        try object.checkChunks(Frames(made.bytes).all, range)
      }
    }
  }

  @Test func aRangePastTheEndIsSaidByMakerAndReader() throws {
    let sample = try SealedSample(bytes: 100)
    let range = ByteRange.from(100)
    let made = try MadeSlice(range, of: sample.object)
    #expect(made.rangeFault?.kind == .badRange)
    #expect(OpenedRange(made.bytes, range, sample.keys).name == "bad-range")
    #expect(OpenedRange(sample.object, range, sample.keys).name == "bad-range")
  }

  @Test func ofAnEmptyItemOnlyTheLastBytesCanBeAsked() throws {
    let sample = try SealedSample(bytes: 0)
    for (range, name) in [
      (ByteRange.last(5), "ok"), (.from(0), "bad-range"), (.closed(first: 0, last: 9), "bad-range"),
    ] {
      let made = try MadeSlice(range, of: sample.object)
      for stream in [made.bytes, sample.object] {
        let opened = OpenedRange(stream, range, sample.keys)
        #expect(opened.name == name && opened.released.isEmpty, "\(range)")
      }
    }
  }

  @Test func theSliceOfNoByteNeedsTwoSmallPieces() throws {
    let object = try ImaginedObject(dataBytes: 0x100_0000_0005)
    let made = try MadeSlice(.nothing, total: object.total, read: object.bytes)
    #expect(made.fetched.count == 2)
    #expect(Frames(made.bytes).all.map { $0[0] } == Array("ETMZ".utf8))
  }
}

/// Bytes: the touched chunks, 16 for each MiB, 64 KiB; requests: three.
private func checkCost(_ made: MadeSlice, _ range: ByteRange, dataBytes: UInt64) throws {
  let data = try #require(range.resolved(in: dataBytes))
  let touched = TouchedChunks(data, dataBytes: dataBytes).chunks.count
  let fetched = made.fetched.reduce(0) { $0 + $1.count }
  #expect(fetched <= touched * 16_400 + 16 * (touched / 64 + 1) + 65_536, "\(range)")
  #expect(made.fetched.count <= 3, "\(range)")
  let sorted = made.fetched.sorted { $0.lowerBound < $1.lowerBound }
  #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
}
