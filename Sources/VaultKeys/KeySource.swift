internal import VaultCLI
internal import VaultCrypto
public import VaultFault
internal import VaultFrame
public import VaultIO
public import VaultSeal

/// A key file that is open and not yet read: files are opened before the tool gives up the right to
/// open any, keys are read only after it (docs/DESIGN.md, hardening).
public final class KeySource: Sendable {
  /// The most bytes that a key file may have.
  private static let limit = 64 << 10

  private let file: Descriptor
  private let isSecret: Bool

  private init(_ file: consuming Descriptor, isSecret: Bool) {
    self.file = file
    self.isSecret = isSecret
  }

  /// Opens a file that holds secrets; throws `bad-key-file` when others can read it.
  public static func secret(_ path: Path, insecure: Bool) throws(Fault) -> KeySource {
    KeySource(try SecretFile.open(path, allowingOthers: insecure), isSecret: true)
  }

  /// Opens a file of recipients.
  public static func recipients(_ path: Path) throws(Fault) -> KeySource {
    KeySource(try File.open(path, orFail: .badRecipient), isSecret: false)
  }

  /// Reads recipients, one a line.
  public func recipients() throws(Fault) -> [Recipient] {
    let bytes = try file.readAll(limit: KeySource.limit)
    return try named { () throws(Fault) in try KeyFile.recipients(bytes.span) }
  }
}
