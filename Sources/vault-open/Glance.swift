import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultSeal

/// Which digests of an object's data are worth taking.
///
/// Of a file the manifest can be opened first. Throws `manifest-malformed` when its text is of another form: so
/// before any of its data leaves (FORMAT 6). Whatever else is wrong is said when it comes in its place, after
/// what stands before it.
func digestsWorthTaking(
  _ input: borrowing Descriptor, _ keys: Keyring, _ expected: Expectations
) throws(Fault) -> TakenDigests {
  do throws(Fault) {
    guard let object = try FileObject(in: input) else { return .all }
    return try expected.looking { () throws(Fault) in
      let runner = StreamRunner(ManifestGlance(keys, expecting: expected), accepting: [.slice])
      var writer = StreamWriter(to: RunnerSink(runner))
      try object.write(.nothing, of: input, to: &writer)
      return writer.sink.runner.consumer.named.map { .named($0) } ?? .all
    }
  } catch {
    if error.kind == .manifestMalformed { throw error }
    return .all
  }
}
