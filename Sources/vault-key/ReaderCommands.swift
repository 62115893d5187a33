import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultKeys
import VaultSeal

/// `vault-key share` and `vault-key rewrap`.
enum ReaderCommands {
  static func share(
    _ arguments: Arguments, _ say: Diagnostics, _ protections: inout Protections
  ) throws(Fault) -> ExitStatus {
    let added = try SealingKeys.open(
      arguments,
      .init(recipients: ReaderOptions.add, keyFiles: ReaderOptions.addKeyFile, space: noSpace))
    var removed: [SlotName] = []
    for text in arguments[ReaderOptions.remove] { removed.append(try SlotName(text)) }
    return try run(arguments, say, &protections, takesObjects: !arguments[ReaderOptions.receipts]) {
      (keys) throws(Fault) in
      let rewriter = EnvelopeRewriter(
        keys, .share(adding: try added.read().makers, removing: removed))
      if !removed.isEmpty {
        say.warning(
          "who had a removed key may have kept the data key, and slots elsewhere still open it")
      }
      return rewriter
    }
  }

  static func rewrap(
    _ arguments: Arguments, _ say: Diagnostics, _ protections: inout Protections
  ) throws(Fault) -> ExitStatus {
    let readers = try SealingKeys.open(
      arguments, .init(keyFiles: ReaderOptions.newKeyFile, space: ReaderOptions.newSpace))
    return try run(arguments, say, &protections, takesObjects: false) { (keys) throws(Fault) in
      let rewriter = EnvelopeRewriter(
        keys, .replace(by: try readers.read().makers, only: arguments[ReaderOptions.only]))
      say.warning("an object that has slots of its own still opens with the old key")
      return rewriter
    }
  }

  // A space is added by its capture key.
  private static let noSpace = Option.path("add-space", "")

  private static func run(
    _ arguments: Arguments, _ say: Diagnostics, _ protections: inout Protections,
    takesObjects: Bool, _ make: (Keyring) throws(Fault) -> EnvelopeRewriter
  ) throws(Fault) -> ExitStatus {
    let keys = try OpeningKeys.open(arguments)
    let input = try openInput(arguments.operands.first)
    let expected = try ExpectedObjects.open(arguments)
    guard let path = arguments[Options.output]?.path else {
      try KeyProcess.confine(&protections)
      let rewriter = try make(keys.read())
      return try Rewriting(rewriter, expected.read(say), arguments, say, takesObjects: takesObjects)
        .run(from: input, to: .standardOutput())
    }
    let file = try OutputFile(path, mode: .create)
    try KeyProcess.confine(&protections, directories: file.directories)
    let rewriter = try make(keys.read())
    let status = try Rewriting(
      rewriter, expected.read(say), arguments, say, takesObjects: takesObjects
    ).run(from: input, to: file.descriptor)
    try file.commit()
    return status
  }
}
