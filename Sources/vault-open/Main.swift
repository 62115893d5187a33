import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultKeys
import VaultRecord
import VaultSeal

@main enum VaultOpen {
  static func main() {
    Tool(Options.command, protections: { KeyProcess.protectionLines() }).main(run)
  }

  static func run(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> ExitStatus {
    if arguments[Options.inspect] { return try inspect(arguments) }
    if let path = arguments[Options.output] { return try open(to: path.path, arguments) }
    var protections = try FilterProcess.begin(arguments)
    let sources = try Sources(arguments)
    try KeyProcess.confine(&protections)
    if arguments[Options.framed] { return try openFramed(sources, arguments) }
    if arguments[Options.check] {
      return try arguments.watch(sources.input).during { () throws(Fault) in
        try check(sources, arguments)
      }
    }

    try write(sources, arguments, to: .standardOutput())
    return .success
  }

  private static func open(
    _ sources: borrowing Sources, _ arguments: Arguments,
    write: @escaping (Span<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    if let range = arguments[Options.range] {
      return try open(sources, range, arguments, write: write)
    }
    let keys = try sources.keys.read()
    let expected = try sources.expectation(keys, arguments)
    let consumer = DataConsumer(keys, expecting: expected, write: write)
    var runner = StreamRunner(consumer, accepting: [.sealed, .slice])
    try runner.run(from: sources.input)
  }

  // Of a file only the needed bytes are read: the slice is made here, in place of by vault-get.
  private static func open(
    _ sources: borrowing Sources, _ range: ByteRange, _ arguments: Arguments,
    write: @escaping (Span<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    var expected = try sources.expectation()
    if arguments[Options.skipDigest] { expected.digests = .none }
    let consumer = RangeConsumer(
      try sources.keys.read(), expecting: expected, range: range, write: write)
    var runner = StreamRunner(consumer, accepting: [.sealed, .slice])
    guard let object = try FileObject(in: sources.input) else {
      return try runner.run(from: sources.input)
    }
    var writer = StreamWriter(to: RunnerSink(runner))
    try object.write(range, of: sources.input, to: &writer)
    try writer.sink.runner.finish()
  }

  private static func open(
    to path: Path, _ arguments: Arguments
  ) throws(Fault) -> ExitStatus {
    var protections = try FilterProcess.begin(arguments)
    let sources = try Sources(arguments)
    let file = try OutputFile(path, mode: .replace)
    try KeyProcess.confine(&protections, directories: file.directories)
    try write(sources, arguments, to: file.descriptor)
    try file.commit()
    return .success
  }

  private static func write(
    _ sources: borrowing Sources, _ arguments: Arguments, to file: consuming Descriptor
  ) throws(Fault) {
    var output = DataOutput(file)
    try arguments.watch(sources.input).during { () throws(Fault) in
      try open(sources, arguments) { (data) throws(Fault) in try output.write(data) }
    }
  }

  private static func openFramed(
    _ sources: borrowing Sources, _ arguments: Arguments
  ) throws(Fault) -> ExitStatus {
    try refuseTerminal(.standardOutput(), "a plain stream")
    let keys = try sources.keys.read()
    let expected = try sources.expectation(keys, arguments)
    let watch = try arguments.watch(sources.input)
    var opener = ItemFilter("vault-open", to: DescriptorSink(.standardOutput())) {
      () throws(Fault) in FramedOpener(keys, expecting: expected)
    }
    opener.beforeEnd = { () throws(Fault) in try watch.check() }
    var runner = StreamRunner(opener, accepting: [.sealed])
    try watch.during { () throws(Fault) in try runner.run(from: sources.input) }
    return .success
  }

  private static func check(
    _ sources: borrowing Sources, _ arguments: Arguments
  ) throws(Fault) -> ExitStatus {
    let keys = try sources.keys.read()
    let consumer = CheckConsumer(
      keys, expecting: try sources.expectation(keys, arguments),
      say: { (verdict) throws(Fault) in try print(verdict.line) })
    var runner = StreamRunner(consumer, accepting: [.sealed])
    try runner.run(from: sources.input)
    try runner.consumer.streamEnded()
    return .success
  }

  private static func inspect(_ arguments: Arguments) throws(Fault) -> ExitStatus {
    var protections = try FilterProcess.begin(arguments)
    let input = try openInput(arguments.operands.first)
    try KeyProcess.confine(&protections)
    var runner = StreamRunner(
      InspectConsumer(say: { (line) throws(Fault) in try print(line) }),
      accepting: [.sealed, .slice])
    try runner.run(from: input)
    return .success
  }

  private static func print(_ line: [UInt8]) throws(Fault) {
    let line = line + [0x0A]
    try Descriptor.standardOutput().writeAll(line.span)
  }
}
