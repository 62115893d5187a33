public import VaultCLI
public import VaultFault
internal import VaultIO
public import VaultSeal

/// Where the password or the access key of a space comes from: open, not yet read.
public struct SpaceSecretSource {
  private enum Place {
    case password(KeySource)
    case accessKey(KeySource)
    case terminal(Prompt)
  }

  private let place: Place

  /// Which options of a command name it.
  public struct Options: Sendable {
    let file: Option<Argument?>
    let descriptor: Option<Int32?>
    let accessKey: Option<Argument?>
    let variable: String?

    /// Takes the three options, and the variable that names a file when none of them is given.
    public init(
      file: Option<Argument?>, descriptor: Option<Int32?>, accessKey: Option<Argument?>,
      variable: String?
    ) {
      self.file = file
      self.descriptor = descriptor
      self.accessKey = accessKey
      self.variable = variable
    }

    /// Those of a space that exists.
    public static let present = Options(
      file: KeyOptions.passwordFile, descriptor: KeyOptions.passwordDescriptor,
      accessKey: KeyOptions.accessKeyFile, variable: Variables.passwordFile)
  }

  /// Opens what the options name, else the file that the variable names, else the terminal.
  ///
  /// Throws `usage` when the variable names standard input, which is the data, `bad-key-file`,
  /// `bad-configuration` when there is no terminal.
  public static func open(
    _ arguments: Arguments, _ options: Options = .present, inputIsData: Bool
  ) throws(Fault) -> SpaceSecretSource {
    let insecure = arguments[KeyOptions.insecurePermissions]
    if let file = arguments[options.accessKey] {
      return SpaceSecretSource(place: .accessKey(try .secret(file.path, insecure: insecure)))
    }
    if let file = arguments[options.file] {
      return SpaceSecretSource(place: .password(try .secret(file.path, insecure: insecure)))
    }
    if let number = arguments[options.descriptor] {
      return SpaceSecretSource(place: .password(.descriptor(number)))
    }
    guard let variable = options.variable, let path = Environment.bytes(variable) else {
      return SpaceSecretSource(place: .terminal(try Prompt()))
    }
    guard !path.isEmpty else { throw Fault(.badConfiguration, "\(variable) is empty") }
    let file = Path(bytes: path)
    guard !inputIsData || !file.isDash && DescriptorName.number(of: file) != 0 else {
      throw Fault(.usage, "standard input cannot be both the data and \(variable)")
    }
    return SpaceSecretSource(place: .password(try .secret(file, insecure: insecure)))
  }

  /// Reads it, or asks for it once; `space` is the name that a question shows.
  public func read(for space: String) throws(Fault) -> SpaceSecret {
    switch place {
    case .password(let file): try file.spaceSecret(isAccessKey: false)
    case .accessKey(let file): try file.spaceSecret(isAccessKey: true)
    case .terminal(let prompt): try prompt.password(space)
    }
  }

  /// Reads one that is made now, or asks for it twice.
  public func readNew(for space: String) throws(Fault) -> SpaceSecret {
    guard case .terminal(let prompt) = place else { return try read(for: space) }
    return try prompt.newPassword(space)
  }
}
