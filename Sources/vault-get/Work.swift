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
  private let stream: Descriptor?
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
    let stream = try Work.stream(arguments)
    var source: Named?
    if !arguments.has(Options.rows), stream == nil {
      let name = try inputs.name(arguments)
      source = Named(source: try opener.open(name), label: name.shown)
    }
    self.opener = opener
    self.done = done
    self.rows = rows
    self.source = source
    self.stream = stream
    readable = CredentialFiles.paths + Work.directories(arguments)
  }

  /// Does it.
  consuming func run(_ engine: inout GetEngine<DescriptorSink>) throws(Fault) -> ExitStatus {
    if let stream {
      try engine.run(stream: stream, named: stream.name)
      return .success
    }
    if let source {
      try engine.run(source.source, named: source.label)
      return .success
    }
    guard let rows = rows.take() else { throw Fault(.internalFault, "nothing to do") }
    return try engine.run(rows: rows, done: done, opener)?.status ?? .success
  }

  // What is read once: standard input, or what a path leads to that is neither a file nor a directory.
  private static func stream(_ arguments: Arguments) throws(Fault) -> Descriptor? {
    guard let operand = arguments.operands.first, !arguments.has(Options.rows) else { return nil }
    let kind = operand.isDash ? .pipe : File.kind(operand.path)
    guard kind == .pipe || kind == .characterDevice || kind == .blockDevice else { return nil }
    // Before a FIFO without a writer would be waited for.
    if arguments.has(Options.range) || arguments[Options.heads] {
      throw Fault(
        .usage, "\(operand.path.quoted) is a stream, of which no range can be read",
        hint: "vault-get without --range, then vault-open --range")
    }
    return try openInput(operand)
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
