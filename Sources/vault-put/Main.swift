import VaultCLI
import VaultDigest
import VaultFault
import VaultIO
import VaultStore

@main enum VaultPut {
  static func main() {
    Tool(Options.command, protections: { NetworkProcess.protectionLines() }).main(run)
  }

  static func run(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> ExitStatus {
    if let journal = arguments[Options.sweep] { return try sweep(journal.path, arguments, say) }
    let destination = try destination(arguments)
    let settings = try Settings.put(destination, arguments, say)
    let store = try Stores.open(destination, arguments, say)

    var protections = try NetworkProcess.begin(arguments)
    try OpenSSL.start()  // before TLS would read OpenSSL's configuration file
    ThisProcess.keepFreedMemory()  // for the buffers of the parts
    let receipts = ReceiptOutput(.standardOutput())
    let journal = try arguments[Options.journal].map { (file) throws(Fault) in
      try Journal(file.path)
    }
    let state = try arguments[Options.state].map { (file) throws(Fault) in
      try ResumeState(file.path)
    }
    try OwnFiles(journal, state).keepApart(from: store)
    try NetworkProcess.confine(
      &protections, reading: CredentialFiles.paths, writing: writable(destination, settings))

    let engine = PutEngine(
      settings, store: store, receipts: receipts, journal: journal, state: state)
    let meter = ProgressReport(arguments[Options.progress], say) {
      let counts = engine.counts
      return ProgressReport.Counts(
        done: counts.stored, total: counts.expected, items: counts.items)
    }
    defer { meter.end() }
    try engine.run()
    return .success
  }

  private static func sweep(
    _ journal: Path, _ arguments: Arguments, _ say: Diagnostics
  ) throws(Fault) -> ExitStatus {
    guard arguments.operands.isEmpty else {
      throw Fault(.usage, "--sweep takes no DEST: the journal names what it knows")
    }
    _ = try NetworkProcess.begin(arguments)
    try OpenSSL.start()
    let sweep = Sweep(journal, receipts: ReceiptOutput(.standardOutput())) {
      (place) throws(Fault) in
      try Stores.open(place, arguments, say)
    }
    let counts = try sweep.run()
    say.note(
      "recovered \(counts.recovered), removed \(counts.removed), nothing left of \(counts.nothing)")
    return .success
  }

  private static func destination(_ arguments: Arguments) throws(Fault) -> Destination {
    guard let operand = arguments.operands.first else { throw Fault(.usage, "no DEST given") }
    guard let text = operand.text else {
      throw Fault(.usage, "the destination is not UTF-8: \(quoted(utf8: operand.bytes))")
    }
    return try Destination(text)
  }

  private static func writable(_ destination: Destination, _ settings: PutSettings) -> [Path] {
    [settings.temporary] + (destination.place == .files ? [destination.directory] : [])
  }
}
