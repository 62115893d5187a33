public import VaultCLI
public import VaultFault
internal import VaultIO
public import VaultSeal

/// The readers that the options of a sealing tool name: files open, secrets unread.
public struct SealingKeys {
  private let recipients: [Recipient]
  private let recipientFiles: [KeySource]
  private let keyFiles: [KeySource]

  /// Opens the files and reads the recipients of the command line.
  ///
  /// Throws `usage` when there is no reader at all, `bad-recipient`, `bad-key-file`.
  public static func open(_ arguments: Arguments) throws(Fault) -> SealingKeys {
    var recipients: [Recipient] = []
    for text in arguments[KeyOptions.recipient] { recipients.append(try recipient(text)) }
    var recipientFiles: [KeySource] = []
    for path in arguments[KeyOptions.recipientFile] {
      recipientFiles.append(try KeySource.recipients(path.path))
    }
    var keyFiles: [KeySource] = []
    for path in arguments[KeyOptions.keyFile] {
      let insecure = arguments[KeyOptions.insecurePermissions]
      keyFiles.append(try KeySource.secret(path.path, insecure: insecure))
    }
    guard !recipients.isEmpty || !recipientFiles.isEmpty || !keyFiles.isEmpty else {
      throw Fault(.usage, "no reader given", hint: "name one with -r, -R or --key-file")
    }
    return SealingKeys(
      recipients: recipients, recipientFiles: recipientFiles, keyFiles: keyFiles)
  }

  /// Reads the files: one slot maker for each reader, the same reader once.
  public func read() throws(Fault) -> [any SlotMaker] {
    var all = recipients
    for file in recipientFiles { all += try file.recipients() }
    var seen: Set<Recipient> = []
    var makers: [any SlotMaker] = all.filter { seen.insert($0).inserted }
    for file in keyFiles { makers.append(try file.keyEncryptionKey()) }
    return makers
  }

  private static func recipient(_ text: String) throws(Fault) -> Recipient {
    do throws(Fault) { return try Recipient(text: text) } catch {
      throw Fault(.badRecipient, "cannot use the recipient: \(error.reason)", hint: error.hint)
    }
  }
}
