import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultSeal

extension Sources {
  // Below it a second opening of the manifest costs more than a digest that is not needed.
  private static let worthALook: UInt64 = 1 << 20

  /// What must come, and which digests of the data are worth taking.
  func expectation(_ keys: Keyring, _ arguments: Arguments) throws(Fault) -> Expectation {
    var expected = try expectation()
    if arguments[Options.skipDigest] {
      expected.digests = .none
    } else if let named = glance(keys, expected.envelope) {
      expected.digests = .named(named)
    }
    return expected
  }

  // Of a file the manifest can be opened first. Whatever is wrong with it is said when it comes in
  // its place, after what stands before it.
  private func glance(_ keys: Keyring, _ envelope: Envelope?) -> Set<DataDigest>? {
    do throws(Fault) {
      guard input.remaining ?? 0 >= Sources.worthALook, let object = try FileObject(in: input)
      else { return nil }
      let runner = StreamRunner(
        ManifestGlance(keys, envelope: envelope), accepting: [.slice])
      var writer = StreamWriter(to: RunnerSink(runner))
      try object.write(.nothing, of: input, to: &writer)
      return writer.sink.runner.consumer.named
    } catch { return nil }
  }
}
