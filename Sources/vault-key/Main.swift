import VaultCLI
import VaultCrypto
import VaultFault
import VaultIO
import VaultKeys
import VaultSeal

@main enum VaultKey {
  static func main() {
    Tool(Options.command, protections: { KeyProcess.protectionLines() }).main(run)
  }

  static func run(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> ExitStatus {
    var protections = try FilterProcess.begin(arguments)
    switch arguments.command {
    case Options.new: try Pair.make(arguments, say, &protections)
    case Options.publicKey: try Pair.printPublic(arguments, &protections)
    case SpaceOptions.new: try SpaceCommands.make(arguments, say, &protections)
    case SpaceOptions.passwd: try SpaceCommands.change(arguments, say, &protections)
    case SpaceOptions.capture: try SpaceCommands.capture(arguments, say, &protections)
    case SpaceOptions.inspect: try SpaceCommands.inspect(arguments, &protections)
    case ReaderOptions.share: return try ReaderCommands.share(arguments, say, &protections)
    default: return try ReaderCommands.rewrap(arguments, say, &protections)
    }
    return .success
  }
}

/// `vault-key new` and `vault-key public`.
enum Pair {
  static func make(
    _ arguments: Arguments, _ say: Diagnostics, _ protections: inout Protections
  ) throws(Fault) {
    guard let path = arguments[Options.output] else {
      try KeyProcess.confine(&protections)
      return try write(Identity(), to: .standardOutput())
    }
    let file = try OutputFile(path.path, mode: .create)
    try KeyProcess.confine(&protections, directories: file.directories)
    let identity = try Identity()
    try write(identity, to: file.descriptor)
    try file.commit()
    say.note("public key: \(identity.recipient.text)")
  }

  private static func write(
    _ identity: Identity, to output: consuming Descriptor
  ) throws(Fault) {
    let head = Array("# public key: \(identity.recipient.text)\n".utf8)
    let text = try identity.text()
    try output.writeAll(head.span)
    try output.writeAll(text.bytes)
    let end: [UInt8] = [0x0A]
    try output.writeAll(end.span)
  }

  static func printPublic(
    _ arguments: Arguments, _ protections: inout Protections
  ) throws(Fault) {
    let source = try source(arguments)
    try KeyProcess.confine(&protections)
    let lines = try source.identities().map { $0.recipient.text + "\n" }.joined()
    let bytes = Array(lines.utf8)
    try Descriptor.standardOutput().writeAll(bytes.span)
  }

  private static func source(_ arguments: Arguments) throws(Fault) -> KeySource {
    guard let file = arguments.operands.first, !file.isDash else {
      return KeySource.standardInput()
    }
    let insecure = arguments[KeyOptions.insecurePermissions]
    return try KeySource.secret(file.path, insecure: insecure)
  }
}
