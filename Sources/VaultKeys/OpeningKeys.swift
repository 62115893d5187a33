public import VaultCLI
public import VaultFault
internal import VaultIO
public import VaultSeal

/// The keys that the options of an opening tool name: files open, secrets unread.
public struct OpeningKeys {
  private let identityFiles: [KeySource]
  private let keyFiles: [KeySource]

  /// Opens the files; throws `usage` when there is no key at all, `bad-key-file`.
  public static func open(_ arguments: Arguments) throws(Fault) -> OpeningKeys {
    let insecure = arguments[KeyOptions.insecurePermissions]
    var identityFiles: [KeySource] = []
    for path in arguments[KeyOptions.identity] {
      identityFiles.append(try KeySource.secret(path.path, insecure: insecure))
    }
    var keyFiles: [KeySource] = []
    for path in arguments[KeyOptions.keyFile] {
      keyFiles.append(try KeySource.secret(path.path, insecure: insecure))
    }
    guard !identityFiles.isEmpty || !keyFiles.isEmpty else {
      throw Fault(.usage, "no key given", hint: "name one with -i or --key-file")
    }
    return OpeningKeys(identityFiles: identityFiles, keyFiles: keyFiles)
  }

  /// Reads the files.
  public func read() throws(Fault) -> Keyring {
    var openers: [any SlotOpener] = []
    for file in identityFiles { openers += try file.identities() as [any SlotOpener] }
    for file in keyFiles { openers.append(try file.keyEncryptionKey()) }
    return try Keyring(openers)
  }
}
