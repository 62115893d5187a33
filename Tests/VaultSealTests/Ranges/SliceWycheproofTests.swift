import TestVectors
import Testing
import VaultFault
import VaultFrame

@testable import VaultCrypto
@testable import VaultSeal

private let vectorFile = "wycheproof_c2sp_chunked_encryption_aes_256_gcm_test.json"

/// Messages of other contexts than ours, opened as slices open bodies: the last chunk first.
struct SliceWycheproofTests {
  @Test(.enabled(if: Vectors.has(vectorFile), "skipped: \(vectorFile) is missing"))
  func rangesAgreeWithWycheproof() throws {
    var (count, ranges) = (0, 0)
    for test in try Vectors.wycheproof(vectorFile) {
      let message = try Inflate.zlib(test.bytes("ct"))
      let (key, context) = (try test.bytes("key"), try test.bytes("ctx"))
      let whole = open(message, .from(0), key, context)
      // A range that goes over everything stands or falls as the stream does, and gives all of it.
      let isEmpty = test.isValid && test["msgLength"] as? Int == 0
      #expect((whole.fault == nil || isEmpty) == test.isValid, "\(test.label)")
      if test.isValid { #expect(whole.data.count == test["msgLength"] as? Int ?? 0) }
      if !test.isValid { #expect(whole.data.isEmpty, "\(test.label)") }
      count += 1
      guard test.isValid, !isEmpty else { continue }
      let size = UInt64(whole.data.count)
      for first in Set([0, size / 2, size - 1, size > 16_385 ? 16_383 : 0]) {
        for last in [first, first + 16_384, size + 7] {
          let part = open(message, .closed(first: first, last: last), key, context)
          #expect(part.data == Array(whole.data[Int(first)...Int(min(last, size - 1))]))
          ranges += 1
        }
      }
    }
    #expect(count == 35)
    print("wycheproof cobblestone-256: \(count) as ranges, and \(ranges) parts of the good ones")
  }

  private func open(
    _ message: [UInt8], _ range: ByteRange, _ key: [UInt8], _ context: [UInt8]
  ) -> (data: [UInt8], fault: Fault?) {
    var out: [UInt8] = []
    do throws(Fault) {
      let head = Array(message.prefix(56))
      let opener = try CobblestoneOpener(inputKey: key.span, context: context, head: head.span)
      var body = SliceBody(opener, range: range)
      let sealed = Array(message.dropFirst(56))
      let last = sealed.count / 16_400
      let tail = Array(sealed[(last * 16_400)...])
      try body.openTail(tail.span, number: UInt64(last))
      try body.begin()
      let data = try range.located(in: body.dataBytes)
      let touched = TouchedChunks(data, dataBytes: body.dataBytes)
      var next = touched.chunks.lowerBound
      while next < touched.chunks.upperBound {
        let chunks = touched.frame(from: next)
        let payload = Array(sealed[Int(next) * 16_400..<Int(chunks.upperBound) * 16_400])
        let header = FrameHeader(.chunks, payloadLength: payload.count, index: next)
        try body.open(header, payload.span) { out += $0.copied() }
        next = chunks.upperBound
      }
      try body.finish { out += $0.copied() }
      return (out, nil)
    } catch { return (out, error) }
  }
}
