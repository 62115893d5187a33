import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultSeal

extension Sources {
  /// What must come, and which digests of the data are worth taking.
  ///
  /// Throws `manifest-malformed` when the input is a file whose manifest has a text that is of
  /// another form: so before any of its data leaves (FORMAT 6).
  func expectation(_ keys: Keyring, _ arguments: Arguments) throws(Fault) -> Expectation {
    var expected = try expectation()
    let named = try glance(keys, expected)
    if arguments[Options.skipDigest] {
      expected.digests = .none
    } else if let named {
      expected.digests = .named(named)
    }
    return expected
  }

  // Of a file the manifest can be opened first. Whatever else is wrong is said when it comes in its
  // place, after what stands before it.
  private func glance(
    _ keys: Keyring, _ expected: Expectation
  ) throws(Fault) -> Set<DataDigest>? {
    do throws(Fault) {
      guard let object = try FileObject(in: input) else { return nil }
      let runner = StreamRunner(ManifestGlance(keys, expecting: expected), accepting: [.slice])
      var writer = StreamWriter(to: RunnerSink(runner))
      try object.write(.nothing, of: input, to: &writer)
      return writer.sink.runner.consumer.named
    } catch {
      if error.kind == .manifestMalformed { throw error }
      return nil
    }
  }
}
