import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultSeal

// Below it a second opening of the manifest costs more than a digest that is not needed.
private let worthALook: UInt64 = 1 << 20

/// Which digests of an object's data are worth taking.
///
/// Of a file the manifest can be opened first. Whatever is wrong with it is said when it comes in its
/// place, after what stands before it.
func digestsWorthTaking(
  _ input: borrowing Descriptor, _ keys: Keyring, _ envelope: Envelope?
) throws(Fault) -> TakenDigests {
  do throws(Fault) {
    guard input.remaining ?? 0 >= worthALook, let object = try FileObject(in: input) else {
      return .all
    }
    let runner = StreamRunner(
      ManifestGlance(keys, envelope: envelope), accepting: [.slice])
    var writer = StreamWriter(to: RunnerSink(runner))
    try object.write(.nothing, of: input, to: &writer)
    return writer.sink.runner.consumer.named.map { .named($0) } ?? .all
  } catch { return .all }
}
