import Testing
import VaultDigest
import VaultFault
import VaultFrame

@testable import VaultSeal

/// Which digests of the data are taken, and what the manifest's are held against.
@Suite struct TakenDigestTests {
  private static let every: [TakenDigests] = [
    .all, .named([.sha3]), .named([.sha256]), .named([.sha3, .sha256]), .none,
  ]
  private static let kinds: [Set<DataDigest>] = [[.sha3], [.sha256], [.sha3, .sha256]]

  private func manifest(_ kinds: Set<DataDigest>, value: UInt8) -> Manifest {
    Manifest(
      body: [UInt8](repeating: 0, count: 32), size: 0, digests: digests(kinds, value: value),
      description: Description(), origin: Origin())
  }

  private func digests(_ kinds: Set<DataDigest>, value: UInt8) -> [NamedDigest] {
    kinds.map { NamedDigest(algorithm: $0.rawValue, value: [UInt8](repeating: value, count: 32)) }
  }

  private func passes(
    _ expected: VaultSeal.Expectation, _ kinds: Set<DataDigest>, value: UInt8
  ) -> Bool {
    do throws(Fault) {
      try expected.compare(manifest(kinds, value: 1), digests(expected.taken, value: value))
    } catch { return false }
    return true
  }

  @Test(arguments: every, kinds)
  func aManifestPassesOnlyWhenAllOfItWasCompared(taken: TakenDigests, kinds: Set<DataDigest>) {
    var expected = Expectation()
    expected.digests = taken
    #expect(
      passes(expected, kinds, value: 1) == (taken == .none || kinds.isSubset(of: expected.taken)))
    #expect(passes(expected, kinds, value: 2) == (taken == .none))
  }

  @Test(arguments: every) func whatIsExpectedIsTaken(taken: TakenDigests) throws {
    var expected = Expectation()
    expected.digests = taken
    expected.sha3 = [UInt8](repeating: 1, count: 32)
    #expect(expected.taken.contains(.sha3))
    // A digest that is there is compared with the manifest's too.
    #expect(!passes(expected, [.sha3], value: 2))
    #expect(throws: Fault.self) { try expected.compare(dataDigests: digests([.sha3], value: 2)) }
    #expect(throws: Fault.self) { try expected.compare(dataDigests: digests([.sha256], value: 1)) }
    expected.dataSHA256 = expected.sha3
    #expect(expected.taken == [.sha3, .sha256])
  }

  @Test(arguments: [0, 40_000, 3 << 20]) func aGlanceFindsWhatTheManifestNames(size: Int) throws {
    let sample = try SealedSample(bytes: size)
    #expect(named(sample.object, sample.keys) == [.sha3])
    let stranger = try Keyring([Identity()])
    #expect(named(sample.object, stranger) == nil)
    var spoilt = sample.object
    spoilt[spoilt.count - 60] ^= 1  // in the manifest
    #expect(named(spoilt, sample.keys) == nil)
  }

  private func named(_ object: [UInt8], _ keys: Keyring) -> Set<DataDigest>? {
    var runner = StreamRunner(ManifestGlance(keys, expecting: Expectations()), accepting: [.slice])
    do throws(Fault) {
      let slice = try MadeSlice(.nothing, of: object)
      try runner.push(slice.bytes.span)
    } catch {}
    return runner.consumer.named
  }
}
