import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultKeys
import VaultSeal

@main enum VaultOpen {
  static func main() {
    Tool(Options.command, protections: { KeyProcess.protectionLines() }).main(run)
  }

  static func run(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> ExitStatus {
    if arguments[Options.inspect] { return try Inspect.run(arguments, say) }
    if let path = arguments[Options.output] { return try open(to: path.path, arguments, say) }
    var protections = try FilterProcess.begin(arguments)
    let sources = try Sources(arguments)
    try KeyProcess.confine(&protections)
    if arguments[Options.framed] { return try openFramed(sources, arguments, say) }
    if arguments[Options.check] {
      return try Check(sources, arguments, say).run(sources.inputs)
    }
    try write(sources, arguments, say, to: .standardOutput())
    return .success
  }

  private static func open(
    to path: Path, _ arguments: Arguments, _ say: Diagnostics
  ) throws(Fault) -> ExitStatus {
    var protections = try FilterProcess.begin(arguments)
    let sources = try Sources(arguments)
    let file = try OutputFile(path, mode: .replace)
    try KeyProcess.confine(&protections, directories: file.directories)
    try write(sources, arguments, say, to: file.descriptor)
    try file.commit()
    return .success
  }

  private static func write(
    _ sources: borrowing Sources, _ arguments: Arguments, _ say: Diagnostics,
    to file: consuming Descriptor
  ) throws(Fault) {
    var output = DataOutput(file)
    try Opening(sources, arguments, say).run { (data) throws(Fault) in try output.write(data) }
  }

  private static func openFramed(
    _ sources: borrowing Sources, _ arguments: Arguments, _ say: Diagnostics
  ) throws(Fault) -> ExitStatus {
    try refuseTerminal(.standardOutput(), "a plain stream")
    let keys = try sources.keys.read()
    let expected = try sources.expected.read(adding: sources.common(arguments), say)
    let input = sources.inputs[0]
    let mayBeEmpty = sources.expected.isPipedBatch && expected.count == 0
    try input.with { (file, watch) throws(Fault) in
      var opener = ItemFilter("vault-open", to: DescriptorSink(.standardOutput())) {
        () throws(Fault) in FramedOpener(keys, expecting: expected)
      }
      opener.beforeEnd = { (isLast) throws(Fault) in
        try watch.check()
        if isLast, !mayBeEmpty { try expected.finish() }
      }
      var runner = StreamRunner(opener, accepting: [.sealed], batches: input.batches)
      _ = try digestsWorthTaking(file, keys, expected)
      try runner.run(from: file)
    }
    return .success
  }
}
