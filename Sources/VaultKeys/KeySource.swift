internal import VaultCrypto
public import VaultFault
public import VaultIO
public import VaultSeal

/// A key file that is open and not yet read: files are opened before the tool gives up the right to
/// open any, keys are read only after it (docs/DESIGN.md, hardening).
public final class KeySource {
  /// The most bytes that a file of recipients may have.
  private static let limit = 32 << 10
  /// One byte more than a file of secrets may have: a quarter of the heap for secrets.
  private static let secretLimit = 16 << 10

  private let file: Descriptor

  private init(_ file: consuming Descriptor) { self.file = file }

  /// Opens a file that holds secrets; throws `bad-key-file` when others can read it.
  public static func secret(_ path: Path, insecure: Bool) throws(Fault) -> KeySource {
    KeySource(try SecretFile.open(path, insecurePermissions: insecure))
  }

  /// Standard input.
  public static func standardInput() -> KeySource { KeySource(.standardInput()) }

  /// A descriptor that an option names.
  static func descriptor(_ number: Int32) -> KeySource {
    KeySource(Descriptor(owning: number, name: "descriptor \(number)"))
  }

  /// Opens a file of recipients.
  public static func recipients(_ path: Path) throws(Fault) -> KeySource {
    KeySource(try File.openNamed(path, orFail: .badRecipient))
  }

  /// Reads recipients, one a line.
  public func recipients() throws(Fault) -> [Recipient] {
    do throws(Fault) {
      let bytes = try file.readAll(limit: KeySource.limit)
      return try KeyFile.recipients(bytes.span)
    } catch {
      guard error.kind == .tooLarge else { throw named(error) }
      throw Fault(.badRecipient, "\(file.name) has more than \(KeySource.limit) bytes")
    }
  }

  /// Reads identities, one a line.
  public func identities() throws(Fault) -> [Identity] {
    try withSecretBytes { (text) throws(Fault) in try KeyFile.identities(text) }
  }

  /// Reads a key-encryption key.
  public func keyEncryptionKey() throws(Fault) -> KeyEncryptionKey {
    try withSecretBytes { (text) throws(Fault) in
      try KeyEncryptionKey(try KeyFile.keyEncryptionKey(text))
    }
  }

  /// Reads what unlocks a space: a password, or 32 bytes of an access key.
  func spaceSecret(isAccessKey: Bool) throws(Fault) -> SpaceSecret {
    try withSecretBytes { (text) throws(Fault) in
      isAccessKey ? .accessKey(try KeyFile.keyEncryptionKey(text)) : try .password(file: text)
    }
  }

  // Read into locked memory, so that no copy of a key is left behind; there is little of it, so no
  // more is taken than the file needs, and the text is used where it is.
  private func withSecretBytes<Value: ~Copyable>(
    _ use: (Span<UInt8>) throws(Fault) -> Value
  ) throws(Fault) -> Value {
    var count = 0
    let whole = try Secret(count: room) { (out) throws(Fault) in
      count = try unsafe out.withUnsafeMutableBytes { (free) throws(Fault) in
        try unsafe SecretFile.read(file, into: free)
      }
    }
    do throws(Fault) { return try use(whole.bytes.extracting(0..<count)) } catch {
      throw named(error)
    }
  }

  // One byte more than the file has shows its end; what has no size may have any.
  private var room: Int {
    guard let size = file.remaining, size > 0, size < UInt64(KeySource.secretLimit) else {
      return KeySource.secretLimit
    }
    return Int(size) + 1
  }

  private func named(_ fault: Fault) -> Fault {
    Fault(fault.kind, "cannot use \(file.name): \(fault.reason)", hint: fault.hint)
  }
}
