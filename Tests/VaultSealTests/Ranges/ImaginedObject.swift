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

  func bytes(_ range: Range<UInt64>) -> [UInt8] {
    var out = filling(range)
    lay(head, at: 0, over: &out, range)
    lay(end, at: manifestOffset, over: &out, range)
    // The headers of the frames after the first.
    let perFrame: UInt64 = 64 * 16_400 + 16
    let first =
      range.lowerBound < UInt64(head.count) ? 1 : (range.lowerBound - UInt64(head.count)) / perFrame
    for index in max(1, first)...(range.upperBound / perFrame + 1)
    where index * 64 <= dataBytes / 16_384 {
      let header = BodyLayout.header(ofFrameWith: index * 64, dataBytes: dataBytes)
      lay(header.bytes, at: UInt64(head.count) + index * perFrame - 16, over: &out, range)
    }
    return out
  }

  // Bytes whose period has no common factor with any length of the format.
  private func filling(_ range: Range<UInt64>) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(range.count)
    while out.count < range.count {
      let from = Int((range.lowerBound + UInt64(out.count)) % UInt64(ImaginedObject.period.count))
      out += ImaginedObject.period[from...].prefix(range.count - out.count)
    }
    return out
  }

  private static let period = SealedSample.bytes(1_048_583, seed: 1)

  private func lay(
    _ bytes: [UInt8], at offset: UInt64, over out: inout [UInt8], _ range: Range<UInt64>
  ) {
    let both = range.clamped(to: offset..<offset + UInt64(bytes.count))
    guard both.lowerBound >= range.lowerBound, both.upperBound <= range.upperBound else { return }
    for index in both {
      out[Int(index - range.lowerBound)] = bytes[Int(index - offset)]
    }
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
