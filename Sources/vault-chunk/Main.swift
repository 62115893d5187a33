import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultParts

@main enum VaultChunk {
  static func main() {
    Tool(Options.command, protections: { FilterProcess.protectionLines() }).main(run)
  }

  static func run(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> ExitStatus {
    var protections = try FilterProcess.begin(arguments)
    let input = try openInput(arguments.operands.first)
    try refuseTerminal(.standardOutput(), "a parts stream")
    let options = try PartOptions(
      expectedBytes: arguments[Options.expectBytes], partSize: arguments[Options.partSize],
      maxParts: UInt64(arguments[Options.maxParts]))
    try FilterProcess.confine(&protections)

    let watch = try arguments.watch(input)
    var cutter = ItemFilter("vault-chunk", to: DescriptorSink(.standardOutput())) {
      () throws(Fault) in try PartCutter(options)
    }
    cutter.beforeEnd = { (_) throws(Fault) in try watch.check() }
    var runner = StreamRunner(cutter, accepting: [.sealed])
    try watch.during { () throws(Fault) in try runner.run(from: input) }
    return .success
  }
}
