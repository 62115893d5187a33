import VaultCLI
import VaultFault
import VaultIO
import VaultStore

/// What there is to do, with all that is read besides remote objects opened.
struct Work: ~Copyable {
  private let opener: SourceOpener
  private var rows: Descriptor?
  private let done: DoneRows
  private let source: Named?
  /// The files and directories that are still opened by name.
  let readable: [Path]

  private struct Named {
    let source: any ObjectSource
    let label: String
  }

  init(_ arguments: Arguments, _ say: Diagnostics, followsLinks: Bool) throws(Fault) {
    let inputs = try Inputs(arguments)
    let store = try Settings.store(arguments, say)
    let token = try inputs.token()
    if let token { say.redaction.hide(token) }
    let opener = SourceOpener(bearer: token, followsLinks: followsLinks) { store }
    let done = try inputs.doneRows(say)
    let rows = try Work.rows(arguments)
    var source: Named?
    if !arguments.has(Options.rows) {
      let name = try inputs.name(arguments)
      source = Named(source: try opener.open(name), label: name.shown)
    }
    self.opener = opener
    self.done = done
    self.rows = rows
    self.source = source
    readable = CredentialFiles.paths + Work.directories(arguments)
  }

  /// Does it.
  consuming func run(_ engine: inout GetEngine<DescriptorSink>) throws(Fault) -> ExitStatus {
    if let source {
      try engine.run(source.source, named: source.label)
      return .success
    }
    guard let rows = rows.take() else { throw Fault(.internalFault, "nothing to do") }
    return try engine.run(rows: rows, done: done, opener)?.status ?? .success
  }

  private static func rows(_ arguments: Arguments) throws(Fault) -> Descriptor? {
    guard let rows = arguments[Options.rows] else { return nil }
    guard arguments.operands.isEmpty else {
      throw Fault(.usage, "--rows takes no SOURCE: the rows name them")
    }
    return try openInput(rows)
  }

  private static func directories(_ arguments: Arguments) -> [Path] {
    guard arguments.has(Options.rows) else { return [] }
    let given = arguments[Options.files].map(\.path)
    return given.isEmpty ? ["."] : given
  }
}
