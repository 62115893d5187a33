public import VaultFault
internal import VaultText

/// The text of a space file; what needs a key is in VaultSeal (FORMAT 13).
public struct SpaceFile: Equatable, Sendable {
  /// The longest file, in bytes.
  public static let maxBytes = 1024
  /// The rounds that a password may cost.
  public static let rounds: ClosedRange<UInt32> = 600_000...10_000_000

  /// The lines before `check`.
  public let content: SpaceContent
  /// The first 16 bytes of the SHA-256 of ``checked``.
  public let check: [UInt8]
  /// The MAC over ``authenticated``.
  public let mac: [UInt8]

  /// Takes all parts.
  public init(_ content: SpaceContent, check: [UInt8], mac: [UInt8]) {
    self.content = content
    self.check = check
    self.mac = mac
  }

  /// The bytes that `check` covers.
  public var checked: [UInt8] { content.bytes }
  /// The bytes that the MAC covers.
  public var authenticated: [UInt8] { content.bytes(check: check) }
  /// The whole file.
  public var bytes: [UInt8] { authenticated + Array("mac \(Base64.encode(mac))\n".utf8) }

  /// Reads a file; throws `space-malformed`.
  public init(parsing bytes: Span<UInt8>) throws(Fault) {
    guard bytes.count <= SpaceFile.maxBytes else {
      throw Fault(.spaceMalformed, "the space file has more than \(SpaceFile.maxBytes) bytes")
    }
    var lines = try TextLines(bytes, header: SpaceContent.header, fault: .spaceMalformed)
    content = try SpaceContent(&lines)
    guard let check = lines.takeBase64("check", counts: [16]),
      let mac = lines.takeBase64("mac", counts: [32])
    else { throw lines.malformed("the space file") }
    (self.check, self.mac) = (check[0], mac[0])
    try lines.finish("the space file", rewritten: String(decoding: self.bytes, as: UTF8.self))
  }
}

/// What a space file says, before its check and its MAC.
public struct SpaceContent: Equatable, Sendable {
  static let header = "vault-space/1"

  /// The UUID of the space; it goes into every key.
  public let space: ItemID
  /// From 1, one more with each new password.
  public let revision: UInt64
  /// How the unlocking key is had.
  public let derivation: SpaceDerivation
  /// Commits to the unlocking key, 32 bytes.
  public let commitment: [UInt8]
  /// The sealed master key, 48 bytes.
  public let master: [UInt8]
  /// The public half of the capture key, 32 bytes.
  public let capture: [UInt8]
  /// The salt under which its private half is sealed, 32 bytes.
  public let captureSalt: [UInt8]
  /// The sealed private half, 48 bytes.
  public let sealedCapture: [UInt8]

  /// Takes all parts; the caller keeps to their lengths.
  public init(
    space: ItemID, revision: UInt64, derivation: SpaceDerivation, commitment: [UInt8],
    master: [UInt8], capture: [UInt8], captureSalt: [UInt8], sealedCapture: [UInt8]
  ) {
    self.space = space
    self.revision = revision
    self.derivation = derivation
    self.commitment = commitment
    self.master = master
    self.capture = capture
    self.captureSalt = captureSalt
    self.sealedCapture = sealedCapture
  }

  init(_ lines: inout TextLines) throws(Fault) {
    guard let space = lines.takeItem("space"), let revision = lines.takeNumber("revision"),
      revision > 0, let method = lines.take("kdf")
    else { throw lines.malformed("the space file") }
    let derivation = try SpaceDerivation(method, lines)
    guard let master = lines.takeBase64("master", counts: [32, 48]),
      let capture = lines.takeBase64("capture", counts: [32, 32, 48])
    else { throw lines.malformed("the space file") }
    self.init(
      space: space, revision: revision, derivation: derivation, commitment: master[0],
      master: master[1], capture: capture[0], captureSalt: capture[1], sealedCapture: capture[2])
  }

  /// The lines.
  public var bytes: [UInt8] {
    var writer = TextWriter(header: SpaceContent.header)
    writer.line("space", space.text)
    writer.number("revision", revision)
    writer.line(fields: ["kdf"] + derivation.fields)
    writer.line("master", Base64.encode(commitment), Base64.encode(master))
    writer.line(
      fields: ["capture"] + [capture, captureSalt, sealedCapture].map { Base64.encode($0) })
    return Array(writer.text.utf8)
  }

  /// The lines and the check.
  public func bytes(check: [UInt8]) -> [UInt8] {
    bytes + Array("check \(Base64.encode(check))\n".utf8)
  }
}

/// How the key that unlocks a space is had.
public enum SpaceDerivation: Equatable, Sendable {
  /// From a password, at the cost of these rounds of PBKDF2.
  case password(rounds: UInt32, salt: [UInt8])
  /// From 32 random bytes, at no cost.
  case accessKey(salt: [UInt8])

  private static let passwordMethod = "pbkdf2-hmac-sha256"
  private static let accessMethod = "access-key"

  init(_ fields: [String], _ lines: TextLines) throws(Fault) {
    let salt = fields.last.flatMap { Base64.decode($0) } ?? []
    guard salt.count == 32 else { throw lines.malformed("the kdf of the space file") }
    if fields.count == 2, fields[0] == SpaceDerivation.accessMethod {
      self = .accessKey(salt: salt)
    } else if fields.count == 3, fields[0] == SpaceDerivation.passwordMethod {
      let count = TextField.number(fields[1]).flatMap { UInt32(exactly: $0) }
      guard let count, SpaceFile.rounds.contains(count) else {
        throw Fault(
          .spaceMalformed, "the rounds of the space file are not 600,000 to 10,000,000",
          hint: "nothing was derived: the file is not one that vault-key made")
      }
      self = .password(rounds: count, salt: salt)
    } else {
      throw lines.malformed("the kdf of the space file")
    }
  }

  /// What a guess at the password costs; the least that a password may cost where there is none.
  public var rounds: UInt32 {
    switch self {
    case .password(let rounds, _): rounds
    case .accessKey: SpaceFile.rounds.lowerBound
    }
  }

  fileprivate var fields: [String] {
    switch self {
    case .password(let rounds, let salt):
      [SpaceDerivation.passwordMethod, String(rounds), Base64.encode(salt)]
    case .accessKey(let salt): [SpaceDerivation.accessMethod, Base64.encode(salt)]
    }
  }
}
