public import VaultCLI
public import VaultFault
public import VaultFrame
public import VaultIO
public import VaultSeal

/// A space file and what unlocks it: open, not yet read. It is unlocked once a process.
public final class SpaceSource {
  private let file: Descriptor
  private let secret: SpaceSecretSource
  private let revision: Int?
  private var unlocked: UnlockedSpace?

  private init(_ file: consuming Descriptor, _ secret: SpaceSecretSource, revision: Int?) {
    self.file = file
    self.secret = secret
    self.revision = revision
  }

  /// Opens the space that an option names; nil when it names none.
  public static func open(
    _ arguments: Arguments, _ option: Option<Argument?> = KeyOptions.space
  ) throws(Fault) -> SpaceSource? {
    guard let path = arguments[option] else { return nil }
    let inputIsData = arguments.operands.first.map(\.isDash) ?? true
    return try open(path.path, arguments, inputIsData: inputIsData)
  }

  /// Opens a space file and what the options say unlocks it.
  public static func open(
    _ path: Path, _ arguments: Arguments, inputIsData: Bool
  ) throws(Fault) -> SpaceSource {
    let file = try File.openNamed(path, orFail: .badKeyFile)
    return try open(file, arguments, inputIsData: inputIsData)
  }

  /// The same for a file that is open.
  public static func open(
    _ file: consuming Descriptor, _ arguments: Arguments, inputIsData: Bool
  ) throws(Fault) -> SpaceSource {
    let secret = try SpaceSecretSource.open(arguments, inputIsData: inputIsData)
    return SpaceSource(file, secret, revision: arguments[KeyOptions.expectRevision])
  }

  /// Reads the file, reads or asks for the secret, and unlocks.
  ///
  /// Throws `wrong-password`, the faults of the file, and `other-object` for another revision.
  public func unlock() throws(Fault) -> UnlockedSpace {
    if let unlocked { return unlocked }
    let content = try SpaceSource.read(file)
    let secret = try secret.read(for: file.name)
    let space = try named { () throws(Fault) in try UnlockedSpace.unlock(content, secret) }
    if let revision, space.file.content.revision != UInt64(revision) {
      throw Fault(
        .otherObject,
        "\(file.name) is of revision \(space.file.content.revision), not \(revision)")
    }
    unlocked = space
    return space
  }

  /// Reads a space file and checks that it is whole; nothing is authenticated.
  public static func read(_ file: borrowing Descriptor) throws(Fault) -> SpaceFile {
    let bytes: [UInt8]
    do throws(Fault) { bytes = try file.readAll(limit: SpaceFile.maxBytes) } catch {
      guard error.kind == .tooLarge else { throw error }
      throw Fault(.spaceMalformed, "\(file.name) is no space file: it is too long")
    }
    do throws(Fault) {
      let found = try SpaceFile(parsing: bytes.span)
      try found.verifyCheck()
      return found
    } catch { throw Fault(error.kind, "\(file.name): \(error.reason)", hint: error.hint) }
  }

  private func named<Value>(_ body: () throws(Fault) -> Value) throws(Fault) -> Value {
    do throws(Fault) { return try body() } catch {
      throw Fault(error.kind, "\(file.name): \(error.reason)", hint: error.hint)
    }
  }
}
