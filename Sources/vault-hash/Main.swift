import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultMeasure

@main enum VaultHash {
  static func main() {
    Tool(Options.command, protections: { FilterProcess.protectionLines() }).main(run)
  }

  static func run(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> ExitStatus {
    if arguments[Options.print], !arguments[Options.framed] {
      return try Sums.print(arguments, say)
    }
    if arguments[Options.check] { return try Sums.check(arguments, say) }
    guard arguments.operands.count <= 1 else {
      throw Fault(.usage, "one FILE at most, \(arguments.operands.count) were given")
    }
    if let words = arguments.childCommand { return try hash(runningCommand: words, arguments) }
    var protections = try FilterProcess.begin(arguments)
    let input = try openInput(arguments.operands.first)
    if arguments[Options.print] {
      try FilterProcess.confine(&protections)
      return try Sums.print(framed: input, arguments)
    }
    try refuseTerminal(.standardOutput(), "a plain stream")
    try FilterProcess.confine(&protections)
    if arguments[Options.framed] { return try measure(input, arguments) }
    return try RawInput.hash(input, arguments)
  }

  private static func hash(
    runningCommand words: [Argument], _ arguments: Arguments
  ) throws(Fault) -> ExitStatus {
    try refuseTerminal(.standardOutput(), "a plain stream")
    let child = try Child(words.map(\.bytes))
    var protections = try FilterProcess.begin(arguments, keeping: [child.output.number])
    try FilterProcess.confine(&protections, child: child.process)
    return try RawInput.hash(outputOf: child, arguments)
  }

  private static func measure(
    _ input: borrowing Descriptor, _ arguments: Arguments
  ) throws(Fault) -> ExitStatus {
    let options = Options.measure(arguments)
    let watch = try arguments.watch(input)
    var filter = ItemFilter("vault-hash", to: DescriptorSink(.standardOutput())) {
      PlainMeasurer(options)
    }
    filter.beforeEnd = { (_) throws(Fault) in try watch.check() }
    var runner = StreamRunner(filter, accepting: [.plain])
    try watch.during { () throws(Fault) in try runner.run(from: input) }
    return .success
  }
}
