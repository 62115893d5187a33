import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultKeys
import VaultSeal

/// `vault-open` without a mode: the data of one object, or a range of it.
struct Opening {
  private let keys: Keyring
  private let expected: Expectations
  private let input: Input
  private let range: ByteRange?
  private let takesNoDigest: Bool
  private let say: Diagnostics

  init(
    _ sources: borrowing Sources, _ arguments: Arguments, _ say: Diagnostics
  ) throws(Fault) {
    keys = try sources.keys.read()
    expected = try sources.expected.readOne(adding: sources.common(arguments), say)
    input = sources.inputs[0]
    range = arguments[Options.range]
    takesNoDigest = arguments[Options.skipDigest]
    self.say = say
  }

  /// Hands authenticated data to `write`.
  func run(_ write: @escaping (Span<UInt8>) throws(Fault) -> Void) throws(Fault) {
    try input.with { (file, _) throws(Fault) in
      if let range {
        try open(range, of: file, write)
      } else {
        try openAll(of: file, write)
      }
    }
    try expected.finish()
  }

  private func openAll(
    of file: borrowing Descriptor, _ write: @escaping (Span<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    let digests = try digestsWorthTaking(file, keys, expected)
    if !takesNoDigest { expected.digests = digests }
    let consumer = DataConsumer(keys, expecting: expected, write: write)
    var runner = StreamRunner(consumer, accepting: [.sealed, .slice])
    try runner.run(from: file)
  }

  // Of a file only the needed bytes are read: the slice is made here, in place of by vault-get.
  private func open(
    _ range: ByteRange, of file: borrowing Descriptor,
    _ write: @escaping (Span<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    let consumer = RangeConsumer(keys, expecting: expected, range: range, write: write)
    var runner = StreamRunner(consumer, accepting: [.sealed, .slice])
    guard let object = try FileObject(in: file) else {
      try runner.run(from: file)
      return sayWhatIsOpen(runner.consumer.leavesDigestOpen)
    }
    var writer = StreamWriter(to: RunnerSink(runner))
    try object.write(range, of: file, to: &writer)
    try writer.sink.runner.finish()
    sayWhatIsOpen(writer.sink.runner.consumer.leavesDigestOpen)
  }

  private func sayWhatIsOpen(_ leavesDigestOpen: Bool) {
    guard leavesDigestOpen else { return }
    say.warning(
      "the range was held against item, body, envelope and sizes of the receipt, not against its sha256",
      hint: "only opening the whole object compares that")
  }
}
