import SealedObjects
import Testing
import VaultFault
import VaultFrame

@testable import VaultSeal

@Suite struct SpaceSlotTests {
  private let data = Array("original".utf8)

  @Test func aSpaceOpensWhatWasSealedForItInEveryWay() throws {
    let space = try Samples.space()
    var derived = Samples.options([])
    derived.dataKeys = DerivedDataKeys(space.key)
    let ways = [
      Samples.options([space.key]), derived, Samples.options([space.capture.recipient]),
    ]
    for (options, kind) in zip(ways, ["space", "derived", "x25519"]) {
      let object = try Samples.object(data, Samples.items[0], options)
      #expect(try Samples.envelope(object).slots.map(\.kind) == [kind])
      #expect(try Samples.opened(object, space.openers).released == data)
    }
  }

  @Test func whoHasTheCaptureKeyAloneCannotOpen() throws {
    let space = try Samples.space()
    let object = try Samples.object(
      data, Samples.items[0], Samples.options([space.capture.recipient]))
    let found = try Samples.opened(object, [space.key])
    #expect(found.name == "no-key" && found.released.isEmpty)
  }

  @Test func derivedKeysAreNeverTheSame() throws {
    let keys = DerivedDataKeys(try Samples.space().key)
    let one = try keys.newDataKey(for: Samples.items[0])
    let two = try keys.newDataKey(for: Samples.items[0])
    #expect(one.slots != two.slots)
    let bytes = try [one, two].map { made throws(Fault) in
      try made.key.withBytes { (key) throws(Fault) in key.copied() }
    }
    #expect(bytes[0] != bytes[1])
  }

  @Test func aDerivedItemCanHaveOtherReadersToo() throws {
    let (space, identity) = (try Samples.space(), try Identity())
    var options = Samples.options([identity.recipient])
    options.dataKeys = DerivedDataKeys(space.key)
    let object = try Samples.object(data, Samples.items[0], options)
    #expect(try Samples.opened(object, [identity]).released == data)
    #expect(try Samples.opened(object, space.openers).released == data)
  }

  @Test func anotherSpaceOpensNothing() throws {
    let object = try Samples.object(
      data, Samples.items[0], Samples.options([try Samples.space().key]))
    let found = try Samples.opened(object, try Samples.space().openers)
    #expect(found.name == "no-key" && found.released.isEmpty)
  }
}
