public import VaultCLI
public import VaultFault
internal import VaultIO
public import VaultSeal

/// The keys that the options of an opening tool name: files open, secrets unread.
public struct OpeningKeys {
  /// The most keys that a process takes: they wait in the heap for secrets.
  private static let maxKeys = 256

  private let identityFiles: [KeySource]
  private let keyFiles: [KeySource]
  private let space: SpaceSource?

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
    let space = try SpaceSource.open(arguments)
    guard !identityFiles.isEmpty || !keyFiles.isEmpty || space != nil else {
      throw Fault(.usage, "no key given", hint: "name one with -i, --key-file or --space")
    }
    return OpeningKeys(identityFiles: identityFiles, keyFiles: keyFiles, space: space)
  }

  /// Reads the files, and unlocks the space; throws `bad-key-file` for more than 256 keys.
  public func read() throws(Fault) -> Keyring {
    var openers: [any SlotOpener] = []
    for file in identityFiles { try add(file.identities(), to: &openers) }
    for file in keyFiles { try add([file.keyEncryptionKey()], to: &openers) }
    if let space { openers += try space.unlock().openers }
    return try Keyring(openers)
  }

  private func add(
    _ keys: [any SlotOpener], to openers: inout [any SlotOpener]
  ) throws(Fault) {
    openers += keys
    guard openers.count <= OpeningKeys.maxKeys else {
      throw Fault(.badKeyFile, "more than \(OpeningKeys.maxKeys) keys are given")
    }
  }
}
