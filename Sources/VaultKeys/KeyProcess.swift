public import VaultCLI
internal import VaultCrypto
internal import VaultDigest
public import VaultFault
public import VaultIO

/// How the process of a tool that holds keys gives up its rights: the crypto library first, since it
/// looks for what it needs, then the doors are shut, and only then a key is read.
public enum KeyProcess {
  /// Starts the library and gives up all but the open descriptors and names in `directories`.
  public static func confine(
    _ protections: inout Protections, directories: [Int32] = []
  ) throws(Fault) {
    try OpenSSL.start()
    try Random.start()
    protections.note("locked-memory", active: try Secret.startHeap())
    try FilterProcess.confine(&protections, directories: directories)
  }

  /// What `--version --verbose` lists.
  public static func protectionLines() -> ProtectionReport {
    ProtectionReport { (protections) throws(Fault) in try confine(&protections) }
  }
}
