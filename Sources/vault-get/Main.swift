import VaultCLI
import VaultDigest
import VaultFault
import VaultIO
import VaultStore

@main enum VaultGet {
  static func main() {
    Tool(Options.command, protections: { NetworkProcess.protectionLines() }).main(run)
  }

  static func run(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> ExitStatus {
    try refuseTerminal(.standardOutput(), "a vault stream")
    var protections = try NetworkProcess.begin(arguments)
    try OpenSSL.start()  // before TLS would read OpenSSL's configuration file
    ThisProcess.keepFreedMemory()  // for objects that are read ahead
    let settings = try Settings.get(arguments, say)
    let work = try Work(arguments, say, followsLinks: settings.form == .plain)
    try NetworkProcess.confine(&protections, reading: work.readable, writing: [])

    var engine = GetEngine(settings, to: DescriptorSink(.standardOutput()))
    let counts = engine.counts
    let report = ProgressReport(arguments[Options.progress], say) {
      ProgressReport.Counts(done: counts.done, total: counts.total, items: counts.items)
    }
    defer { report.end() }
    do throws(Fault) { return try work.run(&engine) } catch {
      // Whoever read the output has what it wanted, or says itself why not.
      if engine.outputIsBroken, Descriptor.standardOutput().isAbandoned { return .localIO }
      throw error
    }
  }
}
