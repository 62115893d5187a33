import SealedObjects
import Testing
import VaultFault
import VaultFrame
import VaultText

@testable import VaultSeal

/// Every mixture of two good objects: of two items, two spaces, two sealings (older and newer, one
/// with a wrapped data key, one with a derived one). Whoever writes the mixture can make a check that
/// fits, and holds no key.
@Suite struct SwapMatrix {
  /// What is taken from the other object.
  private struct Exchange: OptionSet {
    let rawValue: Int
    static let slot = Exchange(rawValue: 1)
    static let body = Exchange(rawValue: 2)
    static let manifest = Exchange(rawValue: 4)
    static let item = Exchange(rawValue: 8)
    static let mac = Exchange(rawValue: 16)
    /// The manifest's message in the place of the body, and the body's in that of the manifest.
    static let role = Exchange(rawValue: 32)
    static let version = Exchange(rawValue: 64)
    static let all = 1..<128
  }

  private let objects: [SwapPieces]
  private let openers: [any SlotOpener]
  private let data = Array("what is in it!".utf8)

  init() throws {
    let spaces = [try Samples.space(), try Samples.space()]
    openers = spaces.flatMap(\.openers)
    var made: [SwapPieces] = []
    for item in Samples.items {
      for space in spaces {
        var derived = Samples.options([])
        derived.dataKeys = DerivedDataKeys(space.key)
        for options in [Samples.options([space.key]), derived] {
          made.append(SwapPieces(try Samples.object(data, item, options)))
        }
      }
    }
    objects = made
  }

  private func mixture(_ own: SwapPieces, _ other: SwapPieces, _ exchange: Exchange) -> SwapPieces {
    var mixed = own
    if exchange.contains(.slot) { mixed.slots = other.slots }
    if exchange.contains(.body) { (mixed.body, mixed.chunks) = (other.body, other.chunks) }
    if exchange.contains(.manifest) { mixed.manifest = other.manifest }
    if exchange.contains(.item) { mixed.item = other.item }
    if exchange.contains(.mac) { mixed.mac = other.mac }
    if exchange.contains(.role) {
      (mixed.chunks, mixed.manifest) = (mixed.manifest, mixed.chunks)
      mixed.body = SwapPieces.bodyLine(mixed.chunks)
    }
    if exchange.contains(.version) { mixed.version = "vault-envelope/2" }
    return mixed
  }

  @Test func noMixtureOfTwoObjectsReleasesAByte() throws {
    var (refused, late, whole) = (0, 0, 0)
    for (place, own) in objects.enumerated() {
      for (index, other) in objects.enumerated() where index != place {
        for raw in Exchange.all {
          let mixed = mixture(own, other, Exchange(rawValue: raw))
          if mixed == own { continue }
          if mixed == other {
            whole += try expectOther(mixed, than: own)
          } else if differsInManifestAlone(mixed) {
            late += try expectLate(mixed)
          } else {
            refused += try expectRefused(mixed)
          }
        }
      }
    }
    print(
      "swap matrix: \(refused) mixtures refused before a byte was released, \(late) with only the "
        + "manifest of another refused at the end, \(whole) other objects refused as not the expected"
    )
    #expect(refused > 6000 && late > 100 && whole > 50)
  }

  private func differsInManifestAlone(_ mixed: SwapPieces) -> Bool {
    objects.contains { good in
      var same = mixed
      same.manifest = good.manifest
      return same == good
    }
  }

  private func expectRefused(_ mixed: SwapPieces) throws -> Int {
    let found = try Samples.opened(mixed.object(), openers)
    #expect(found.released.isEmpty)
    #expect([65, 77].contains(status(found.name)), "\(found.name)")
    return 1
  }

  // The manifest comes last, so the data is out, and true: a file named with -o never appears.
  private func expectLate(_ mixed: SwapPieces) throws -> Int {
    let found = try Samples.opened(mixed.object(), openers)
    #expect(found.name == "manifest-damaged" && found.released == data)
    return 1
  }

  // A whole other object is well sealed: only the caller can tell, by the receipt's body.
  private func expectOther(_ mixed: SwapPieces, than own: SwapPieces) throws -> Int {
    var expected = Expectation()
    expected.body = try Samples.envelope(try own.object()).body
    let found = try Samples.opened(mixed.object(), openers, expecting: expected)
    #expect(found.name == "other-object" && found.released.isEmpty)
    return 1
  }

  @Test func noSlotOfAnotherEnvelopeOpensADetachedObject() throws {
    var count = 0
    for own in objects {
      let bare = try detached(own)
      for other in objects where other != own {
        for raw in 1..<16 {
          let envelope = mixture(own, other, Exchange(rawValue: raw << 3 & 24 | raw & 3))
          if envelope.slots == own.slots, envelope.item == own.item, envelope.body == own.body,
            envelope.mac == own.mac
          {
            continue
          }
          var expected = Expectation()
          expected.envelope = try Samples.envelope(envelope.object())
          let found = try Samples.opened(bare.object(), openers, expecting: expected)
          #expect(found.released.isEmpty && [65, 77].contains(status(found.name)))
          count += 1
        }
      }
    }
    print("swap matrix: \(count) envelopes of receipts refused for a detached object")
  }

  private func detached(_ own: SwapPieces) throws -> SwapPieces {
    var bare = own
    let envelope = try Samples.envelope(own.object())
    let key = try Keyring(openers).dataKey(of: envelope)
    let empty = try Envelope.sealing(item: envelope.item, body: envelope.body, slots: [], with: key)
    (bare.slots, bare.mac) = (["detached"], "mac \(Base64.encode(empty.mac))")
    var expected = Expectation()
    expected.envelope = envelope
    #expect(try Samples.opened(bare.object(), openers, expecting: expected).released == data)
    return bare
  }

  private func status(_ name: String) -> UInt8 {
    FaultKind(rawValue: name)?.status.rawValue ?? 0
  }
}
