import Testing

@testable import VaultFrame

/// The layout of an object of any size; its sealed bytes are a function of their offset.
struct ImaginedObject {
  let dataBytes: UInt64
  let total: UInt64
  private let head: [UInt8]
  private let envelopeBytes: UInt64
  private let end: [UInt8]
  private let manifestOffset: UInt64

  init(dataBytes: UInt64) throws {
    let sample = Frames(try SealedSample(bytes: 1).object)
    let envelope = sample[.envelope]
    let e = UInt64(envelope.count - 16)
    let first = BodyLayout.header(ofFrameWith: 0, dataBytes: dataBytes)
    head = sample.prologue + envelope + first.bytes + sample[.chunks][16..<72]
    manifestOffset = BodyLayout.manifestOffset(dataBytes: dataBytes, envelopeBytes: e)
    let counts = EndCounts(dataBytes, dataBytes / 16_384 / 64 + 1, manifestOffset)
    let manifest = sample[.manifest]
    end = manifest + FrameHeader(.end, payloadLength: 24, index: 0).bytes + counts.bytes
    total = manifestOffset + UInt64(end.count)
    self.dataBytes = dataBytes
    envelopeBytes = e
  }

  func bytes(_ range: Range<UInt64>) -> [UInt8] { range.map(byte) }

  private func byte(_ offset: UInt64) -> UInt8 {
    if offset < UInt64(head.count) { return head[Int(offset)] }
    if offset >= manifestOffset { return end[Int(offset - manifestOffset)] }
    // The frame that the offset is in, from the header of the second one on.
    let perFrame: UInt64 = 64 * 16_400 + 16
    let fromBody = offset - UInt64(head.count)
    let (index, place) = (fromBody + 16).quotientAndRemainder(dividingBy: perFrame)
    guard index > 0, place < 16 else {
      return UInt8(truncatingIfNeeded: offset &* 2_654_435_761 >> 9)
    }
    return BodyLayout.header(ofFrameWith: index * 64, dataBytes: dataBytes).bytes[Int(place)]
  }

  /// The chunks of a slice are those at their offsets, computed here in another way.
  func checkChunks(_ frames: [[UInt8]], _ range: ByteRange) throws {
    let wanted = try #require(range.resolved(in: dataBytes))
    var chunk = wanted.lowerBound / 16_384
    for frame in frames where frame[0] == FrameType.chunks.rawValue {
      for start in stride(from: 16, to: frame.count, by: 16_400) {
        let offset = 24 + envelopeBytes + 16 + 56 + chunk * 16_400 + chunk / 64 * 16
        #expect(Array(frame[start..<start + 16_400]) == bytes(offset..<offset + 16_400))
        chunk += 1
      }
    }
    #expect(chunk == min((wanted.upperBound - 1) / 16_384 + 1, dataBytes / 16_384))
  }
}
