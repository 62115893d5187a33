internal import VaultCrypto
internal import VaultDigest
public import VaultFault
public import VaultFrame

/// A space that is open: its file, its master key and its capture key (FORMAT 13).
///
/// Unlocking costs one derivation; then everything of the file is authenticated.
public final class UnlockedSpace: Sendable {
  /// The file that it came from, or that is to be written.
  public let file: SpaceFile
  /// The key of slots `space` and `derived`.
  public let key: SpaceKey
  /// The key of what was sealed for the space's public half.
  public let capture: Identity

  private init(_ file: SpaceFile, _ key: SpaceKey, _ capture: Identity) {
    self.file = file
    self.key = key
    self.capture = capture
  }

  /// All keys that open something.
  public var openers: [any SlotOpener] { [key, capture] }

  /// Makes a new space, revision 1. An access key takes no rounds.
  public static func create(
    _ secret: borrowing SpaceSecret, rounds: UInt32
  ) throws(Fault) -> UnlockedSpace {
    guard let id = ItemID(random: try Random.bytes(16)) else {
      throw Fault(.internalFault, "cannot make the id of a space")
    }
    let key = try SpaceKey(Secret(random: 32))
    let draft = SpaceDraft(space: id, revision: 1, key: key, capture: try Identity())
    return UnlockedSpace(try draft.file(secret, rounds: rounds), key, draft.capture)
  }

  /// The next revision: another secret, fresh salts, the same keys.
  public func revised(
    _ secret: borrowing SpaceSecret, rounds: UInt32
  ) throws(Fault) -> UnlockedSpace {
    let draft = SpaceDraft(
      space: file.content.space, revision: file.content.revision + 1, key: key, capture: capture)
    return UnlockedSpace(try draft.file(secret, rounds: rounds), key, capture)
  }

  /// Opens a file that was read; throws `space-damaged`, `wrong-password`, `space-forged`.
  public static func unlock(
    _ file: SpaceFile, _ secret: borrowing SpaceSecret
  ) throws(Fault) -> UnlockedSpace {
    try file.verifyCheck()
    let content = file.content
    let wrap = try SpaceWrap(secret, content.derivation, content.space)
    guard wrap.commits(to: content.commitment) else { throw wrong(content.derivation) }
    let key = try reading { () throws(Fault) in try SpaceKey(wrap.open(content.master)) }
    let mac = try key.mac(file)
    guard equalConstantTime(mac.span, file.mac.span) else { throw forged }
    let capture = try reading { () throws(Fault) in try key.capture(content) }
    guard capture.publicKey == content.capture else { throw forged }
    return UnlockedSpace(file, key, capture)
  }

  private static func reading<Value>(
    _ read: () throws(Fault) -> Value
  ) throws(Fault) -> Value {
    do throws(Fault) { return try read() } catch {
      throw error.kind == .internalFault ? error : forged
    }
  }

  private static func wrong(_ derivation: SpaceDerivation) -> Fault {
    switch derivation {
    case .password: Fault(.wrongPassword, "the password does not open this space")
    case .accessKey: Fault(.wrongPassword, "the access key does not open this space")
    }
  }

  private static var forged: Fault {
    Fault(.spaceForged, "the space file was changed by someone who does not hold its master key")
  }
}
