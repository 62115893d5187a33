public import VaultCLI
public import VaultFault
internal import VaultFrame
internal import VaultIO
public import VaultSeal

/// The readers that the options of a sealing tool name: files open, secrets unread.
public struct SealingKeys {
  /// Which options of a command name readers.
  public struct Options: Sendable {
    let recipients: Option<[String]>
    let keyFiles: Option<[Argument]>
    let space: Option<Argument?>

    /// Takes the options that name recipients, key files and a space.
    public init(
      recipients: Option<[String]> = KeyOptions.recipient,
      keyFiles: Option<[Argument]> = KeyOptions.keyFile,
      space: Option<Argument?> = KeyOptions.space
    ) {
      self.recipients = recipients
      self.keyFiles = keyFiles
      self.space = space
    }
  }

  private let recipients: [Recipient]
  private let recipientFiles: [KeySource]
  private let keyFiles: [KeySource]
  private let space: SpaceSource?

  /// Opens the files and reads the recipients of the command line.
  ///
  /// Throws `bad-recipient`, `bad-key-file`.
  public static func open(
    _ arguments: Arguments, _ options: Options = Options()
  ) throws(Fault) -> SealingKeys {
    var recipients: [Recipient] = []
    for text in arguments[options.recipients] { recipients.append(try recipient(text)) }
    var recipientFiles: [KeySource] = []
    for path in arguments[KeyOptions.recipientFile] {
      recipientFiles.append(try KeySource.recipients(path.path))
    }
    var keyFiles: [KeySource] = []
    for path in arguments[options.keyFiles] {
      let insecure = arguments[KeyOptions.insecurePermissions]
      keyFiles.append(try KeySource.secret(path.path, insecure: insecure))
    }
    let space = try SpaceSource.open(arguments, options.space)
    return SealingKeys(
      recipients: recipients, recipientFiles: recipientFiles, keyFiles: keyFiles, space: space)
  }

  /// True when no reader is named.
  public var isEmpty: Bool {
    recipients.isEmpty && recipientFiles.isEmpty && keyFiles.isEmpty && space == nil
  }

  /// Reads the files and unlocks the space: one slot maker for each reader, the same reader once.
  ///
  /// With `deriving` the data keys come from the space, which so needs no slot maker. Throws `usage`
  /// for more readers than an envelope can hold.
  public func read(deriving: Bool = false) throws(Fault) -> Readers {
    var all = recipients
    for file in recipientFiles { all += try file.recipients() }
    var seen: Set<Recipient> = []
    var makers: [any SlotMaker] = all.filter { seen.insert($0).inserted }
    for file in keyFiles {
      guard makers.count < Envelope.maxSlots else { throw tooMany }
      makers.append(try file.keyEncryptionKey())
    }
    guard makers.count <= Envelope.maxSlots else { throw tooMany }
    guard let space = try space?.unlock() else { return Readers(makers, RandomDataKeys()) }
    if deriving { return Readers(makers, DerivedDataKeys(space.key)) }
    return Readers(makers + [space.key], RandomDataKeys())
  }

  private var tooMany: Fault {
    Fault(.usage, "an item can have at most \(Envelope.maxSlots) readers")
  }

  private static func recipient(_ text: String) throws(Fault) -> Recipient {
    do throws(Fault) { return try Recipient(text: text) } catch {
      throw Fault(.badRecipient, "cannot use the recipient: \(error.reason)", hint: error.hint)
    }
  }
}

/// The readers of what is sealed, and where its data keys come from.
public struct Readers: Sendable {
  /// One for each reader.
  public let makers: [any SlotMaker]
  /// Random, or derived from a space.
  public let dataKeys: any DataKeyMaker

  init(_ makers: [any SlotMaker], _ dataKeys: any DataKeyMaker) {
    self.makers = makers
    self.dataKeys = dataKeys
  }
}
