import SealedObjects
import Testing
import VaultFault
import VaultFrame

@testable import VaultSeal

/// What a forger can do to an object with whole frames; the flips and cuts are in the probe
/// `vault-forgery`, which is built for speed.
struct FrameForgeries {
  private let keys: TestKeys
  private let data: [UInt8]
  private let object: [UInt8]
  private let layout: Layout

  init() throws {
    keys = try TestKeys()
    data = someData(2 * 64 * 16_384 + 5)
    object = try Sealing(data).object(keys.makers)
    layout = Layout(object)
  }

  @Test func theObjectOpensWithEachOfItsKeys() throws {
    #expect(layout["C"].count == 3)
    for opener in keys.openers {
      #expect(opened(object, try Keyring([opener])) == Outcome(name: "ok", released: data))
    }
  }

  @Test func chunksInAnotherOrderAreRefused() throws {
    let frames = layout.parts.map { Array(object[$0.whole]) }
    for first in 1...3 {
      var dropped = frames
      dropped.remove(at: first)
      try expectRefused(dropped, "dropped \(first)")
      for second in 1...3 {
        var repeated = frames
        repeated.insert(frames[first], at: second)
        try expectRefused(repeated, "repeated \(first) at \(second)")
        guard second > first else { continue }
        var swapped = frames
        swapped.swapAt(first, second)
        try expectRefused(swapped, "swapped \(first) and \(second)")
        // With the indices that the places ask for, only the keys can tell.
        swapped[first].replaceSubrange(8..<16, with: frames[first][8..<16])
        swapped[second].replaceSubrange(8..<16, with: frames[second][8..<16])
        try expectRefused(swapped, "disguised \(first) and \(second)")
      }
    }
  }

  @Test func framesOfAnotherObjectAreRefused() throws {
    let again = try Sealing(data).object(keys.makers)
    var other = Sealing(someData(64 * 16_384 * 2 + 6, seed: 9))
    other.item = ItemID("aa112233-4455-4677-8899-aabbccddeeff")
    let foreign = try other.object(keys.makers)
    for source in [again, foreign] {
      let parts = Layout(source).parts
      let frames = layout.parts.map { Array(object[$0.whole]) }
      for index in frames.indices {
        var forged = frames
        forged[index] = Array(source[parts[index].whole])
        guard forged != frames else { continue }
        try expectRefused(forged, "frame \(index) of another object")
      }
    }
  }

  @Test func trailingBytesAreRefused() throws {
    let frames = layout.parts.map { Array(object[$0.whole]) }
    for extra in [[0], frames[5], object, [UInt8](repeating: 0, count: 70_000)] {
      try expectRefused(frames + [extra], "\(extra.count) bytes more")
    }
  }

  @Test func aFlippedBitInEachChunkReleasesWhatCameBefore() throws {
    for (number, range) in layout.chunks.enumerated() where number % 9 == 0 || number > 125 {
      var forged = object
      forged[(range.lowerBound + range.upperBound) / 2] ^= 1
      let found = opened(forged, try Keyring(keys.openers))
      #expect(found.name == "body-damaged")
      #expect(found.released.count == number * 16_384)
      #expect(found.isRefusal(of: data))
    }
  }

  @Test func aKeyThatIsNotAtHandOpensNothing() throws {
    let others = try TestKeys()
    let found = opened(object, try Keyring([others.identity, others.kek]))
    #expect(found == Outcome(name: "no-key", released: []))
  }

  private func expectRefused(_ frames: [[UInt8]], _ what: String) throws {
    let forged = Array(object[..<8]) + frames.flatMap { $0 }
    #expect(opened(forged, try Keyring(keys.openers)).isRefusal(of: data), "\(what)")
  }
}
