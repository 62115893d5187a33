import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultKeys
import VaultMeasure
import VaultSeal

@main enum VaultSealTool {
  static func main() {
    Tool(Options.command, protections: { KeyProcess.protectionLines() }).main(run)
  }

  static func run(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> ExitStatus {
    var protections = try FilterProcess.begin(arguments)
    let keys = try SealingKeys.open(arguments)
    guard !keys.isEmpty else {
      throw Fault(.usage, "no reader given", hint: "name one with -r, -R, --key-file or --space")
    }
    let input = try openInput(arguments.operands.first)
    try refuseTerminal(.standardOutput(), "a sealed stream")
    try KeyProcess.confine(&protections)

    let readers = try keys.read(deriving: arguments[Options.derive])
    var options = SealOptions(
      readers: readers.makers, now: { Clock.now().seconds })
    _ = try options.time()
    options.dataKeys = readers.dataKeys
    options.detach = arguments[Options.detach]
    options.disclose = Set(arguments[Options.disclose])
    let watch = try arguments.watch(input)
    var sealer = sealer(options)
    sealer.beforeEnd = { (_) throws(Fault) in try watch.check() }
    var runner = StreamRunner(sealer, accepting: [.plain])
    guard arguments[Options.raw] else {
      do throws(Fault) {
        try watch.during { () throws(Fault) in try runner.run(from: input) }
      } catch { throw hinting(error) }
      return .success
    }
    return try sealRaw(input, arguments[Options.digest], into: runner)
  }

  private static func sealer(
    _ options: SealOptions
  ) -> ItemFilter<Sealer, DescriptorSink> {
    ItemFilter(
      "vault-seal", to: DescriptorSink(.standardOutput()), alwaysBatch: options.needsLabels
    ) { Sealer(options) }
  }

  private static func hinting(_ fault: Fault) -> Fault {
    guard fault.kind == .notAStream else { return fault }
    return Fault(
      .notAStream, fault.reason, hint: "begin with vault-hash, or seal raw bytes with --raw")
  }

  private static func sealRaw(
    _ input: borrowing Descriptor, _ digest: DataDigest,
    into runner: consuming StreamRunner<ItemFilter<Sealer, DescriptorSink>>
  ) throws(Fault) -> ExitStatus {
    guard let item = ItemID(random: try Entropy.bytes(16)) else {
      throw Fault(.internalFault, "cannot make an item id")
    }
    var options = MeasureOptions()
    options.digests = [digest]
    var maker = try PlainMaker(to: RunnerSink(runner), Label(item: item), options)
    do throws(Fault) {
      try readToEnd(of: input) { (data) throws(Fault) in try maker.push(data) }
      try maker.finish()
    } catch {
      maker.abort(error, tool: "vault-seal")
      throw error
    }
    try maker.writer.sink.runner.finish()
    return .success
  }
}
