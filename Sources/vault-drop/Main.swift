import VaultCLI
import VaultDigest
import VaultFault
import VaultIO
import VaultStore

@main enum VaultDrop {
  static func main() {
    Tool(Options.command, protections: { NetworkProcess.protectionLines() }).main(run)
  }

  static func run(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> ExitStatus {
    guard let file = arguments[Options.rows] else {
      throw Fault(.usage, "--rows says what to remove: nothing is removed by a name alone")
    }
    var protections = try NetworkProcess.begin(arguments)
    try OpenSSL.start()
    let rows = try openInput(file)
    let stores = Stores(try Stores.settings(arguments, say))
    let stop = StopFlag(heedingSignals: true)
    let dropper = Dropper(settings(arguments), stop: stop) { (address) throws(Fault) in
      try stores.open(address)
    }
    let directories = arguments[Options.files].map(\.path)
    try NetworkProcess.confine(
      &protections, reading: CredentialFiles.paths,
      writing: directories.isEmpty ? ["."] : directories)
    var engine = DropEngine(
      dropper, jobs: arguments[Options.jobs], needsEnd: arguments[Options.rowsEnd],
      to: .standardOutput()
    ) { say.error($0) }
    return try engine.run(rows)?.status ?? .success
  }

  private static func settings(_ arguments: Arguments) -> Dropper.Settings {
    var settings = Dropper.Settings()
    settings.removes = arguments[Options.yes]
    settings.acceptsRace = arguments[Options.acceptRace]
    settings.policy.tries = arguments[Options.retries] + 1
    return settings
  }
}
