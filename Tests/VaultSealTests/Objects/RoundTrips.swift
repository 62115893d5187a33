import SealedObjects
import Testing
import VaultFault
import VaultFrame

@testable import VaultSeal

struct RoundTrips {
  static let sizes = [
    0, 1, 16_383, 16_384, 16_385, 32_768, 1 << 20 - 1, 1 << 20, 1 << 20 + 1, 64 * 16_384 - 1,
    64 * 16_384, 64 * 16_384 + 1, 128 * 16_384, 2 * 64 * 16_384 + 500,
  ]

  @Test(arguments: sizes)
  func everySizeComesBackWhateverTheWrites(size: Int) throws {
    let keys = try TestKeys()
    let keyring = try Keyring([keys.kek])
    var sealing = Sealing(someData(size))
    for write in [1, 7, 4_096, 65_536, 1 << 20] where size / write < 20_000 {
      sealing.write = write
      let object = try sealing.object([keys.kek])
      #expect(opened(object, keyring) == Outcome(name: "ok", released: sealing.data))
      #expect(object.count == length(sealing.data.count, object))
    }
  }

  @Test func readsOfAnySizeGiveTheSame() throws {
    let keys = try TestKeys()
    let sealing = Sealing(someData(16_384 + 100))
    let object = try sealing.object(keys.makers)
    for piece in [1, 7, 4_096] {
      let found = opened(object, try Keyring(keys.openers), piece: piece)
      #expect(found == Outcome(name: "ok", released: sealing.data))
    }
  }

  @Test func sealingTwiceGivesOtherBytes() throws {
    let keys = try TestKeys()
    let sealing = Sealing(someData(100))
    let objects = [try sealing.object(keys.makers), try sealing.object(keys.makers)]
    for letter in "ECM" {
      let frames = objects.map { Array($0[Layout($0)[letter][0].payload]) }
      #expect(frames[0] != frames[1])
    }
  }

  // FORMAT 6: the length follows from the data, the envelope and the manifest.
  private func length(_ data: Int, _ object: [UInt8]) -> Int {
    let layout = Layout(object)
    let chunks = data / 16_384 + 1
    return 8 + 16 + layout["E"][0].payload.count + 16 * ((chunks + 63) / 64) + 56 + data
      + 16 * chunks + 16 + layout["M"][0].payload.count + 40
  }
}
