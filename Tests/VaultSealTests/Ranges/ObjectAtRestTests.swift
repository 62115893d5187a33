import Testing
import VaultFault
import VaultFrame

@testable import VaultSeal

/// Objects at rest that are not what their layout says: told without a key, by name.
struct ObjectAtRestTests {
  private let sample: SealedSample
  private let frames: Frames

  init() throws {
    sample = try SealedSample(bytes: 2 * 64 * 16_384 + 5)
    frames = Frames(sample.object)
  }

  @Test func damageInTheLayoutHasAName() throws {
    let middle = ByteRange.closed(first: 63 * 16_384, last: 65 * 16_384)
    var count = 0
    for (name, change) in changes {
      var object = sample.object
      change(&object)
      #expect(fault(of: object, middle) == String(name.prefix { $0 != " " }), "\(name)")
      count += 1
    }
    print("objects with a false layout: \(count) named")
  }

  private var changes: [(String, (inout [UInt8]) -> Void)] {
    let firstFrame = 24 + frames[.envelope].count - 16
    let second = firstFrame + 16 + 1_049_656
    let last = second + 16 + 1_049_600
    let manifest = last + 16 + 21
    return [
      ("incomplete", { $0 = [] }), ("incomplete 7", { $0 = Array($0[..<7]) }),
      ("incomplete in E", { $0 = Array($0[..<200]) }),
      ("incomplete in C", { $0 = Array($0[..<(second + 99)]) }),
      ("incomplete by one", { $0.removeLast() }), ("incomplete after Z", { $0.append(0) }),
      ("not-a-stream", { $0[0] = 0x57 }), ("wrong-kind", { $0[6] = 0x70 }),
      ("text-damage", { $0[7] = 0x0D }), ("frame-order E", { $0[8] = 0x4D }),
      ("envelope-malformed", { $0[24] ^= 1 }), ("frame-too-long C as M", { $0[firstFrame] = 0x4D }),
      ("frame-index C", { $0[firstFrame + 15] = 1 }),
      ("frame-too-long C", { $0[firstFrame + 7] ^= 1 }),
      ("bad-reserved C", { $0[firstFrame + 2] = 1 }),
      ("body-mismatch", { $0[firstFrame + 16] ^= 1 }),
      ("frame-too-long second", { $0[second] = 0x4D }),
      ("frame-index second", { $0[second + 15] ^= 1 }),
      ("frame-length second", { $0[second + 7] ^= 1 }),
      ("unknown-frame second", { $0[second] = 0x51 }),
      ("frame-index last", { $0[last + 15] ^= 1 }), ("frame-length last", { $0[last + 7] ^= 1 }),
      ("frame-order M", { $0[manifest] = 0x43 }), ("frame-index M", { $0[manifest + 15] = 1 }),
      ("end-mismatch first", { $0[$0.count - 17] ^= 1 }),
      ("end-mismatch huge", { $0[$0.count - 24] ^= 0xFF }),
      ("end-mismatch second", { $0[$0.count - 9] ^= 1 }),
      ("end-mismatch third", { $0[$0.count - 1] ^= 1 }),
      ("incomplete Z", { $0[$0.count - 33] = 23 }),
    ]
  }

  // No byte may stand between the manifest and the end: nothing would authenticate it.
  @Test func anObjectThatIsLongerThanItsLayoutIsRefused() throws {
    let later = frame(0x51, flags: 2, payload: 3)
    let extras: [([UInt8], String)] = [
      (later, "unknown-frame"), (later + later, "unknown-frame"),
      (frame(0x51, flags: 2, payload: 1 << 20), "unknown-frame"),
      (frames[.manifest], "frame-order"), (frames[.end], "trailing-bytes"), ([0], "unknown-frame"),
    ]
    let range = ByteRange.closed(first: 40_000, last: 50_000)
    for (extra, name) in extras {
      var object = frames
      object.all.insert(extra, at: frames.all.count - 1)
      #expect(fault(of: object.stream, range) == "end-mismatch", "\(extra.prefix(4))")
      #expect(OpenedRange(object.stream, range, sample.keys).name == name, "\(extra.prefix(4))")
    }
  }

  private func frame(_ type: UInt8, flags: UInt8, payload: Int) -> [UInt8] {
    [type, flags, 0, 0] + bigEndian(UInt64(payload), bytes: 4)
      + [UInt8](repeating: 9, count: 8 + payload)
  }

  @Test func theLastBytesOfAStreamWaitInMemoryUpToALimit() throws {
    let most = RangeWindow.maxSuffix
    let good = OpenedRange(sample.object, .last(most), sample.keys)
    #expect(good.name == "ok" && good.released == sample.data.suffix(Int(most)))
    #expect(OpenedRange(sample.object, .last(most + 1), sample.keys).name == "usage")
    let slice = try MadeSlice(.last(most + 1), of: sample.object).bytes
    let whole = OpenedRange(slice, .last(most + 1), sample.keys)
    #expect(whole.released == sample.data.suffix(Int(most) + 1))
  }

  // A sealed stream is checked to its end though the range was written long before.
  @Test func aStreamIsCheckedPastTheRange() throws {
    var object = sample.object
    object[object.count - 100] ^= 1
    let opened = OpenedRange(object, .closed(first: 1, last: 3), sample.keys)
    #expect(opened.name == "manifest-damaged" && opened.released == Array(sample.data[1...3]))
  }

  private func fault(of object: [UInt8], _ range: ByteRange) -> String? {
    do throws(Fault) {
      let made = try MadeSlice(range, of: object)
      return OpenedRange(made.bytes, range, sample.keys).name
    } catch { return error.kind.rawValue }
  }
}
