public import VaultCrypto
public import VaultFault
internal import VaultFrame

/// What unlocks a space: a password, or an access key.
public enum SpaceSecret: ~Copyable {
  /// A password, its bytes as they are.
  case password(Secret)
  /// 32 random bytes.
  case accessKey(Secret)

  /// The longest password, in bytes.
  public static let maxPasswordBytes = 4096

  /// Takes the bytes of a password file: one LF or CR LF at the end is not part of it.
  /// - Throws: ``FaultKind/badConfiguration`` for an empty password, or more than 4,096 bytes.
  public static func password(file: Span<UInt8>) throws(Fault) -> SpaceSecret {
    var count = file.count
    if count > 0, file[count - 1] == UInt8(ascii: "\n") {
      count -= 1
      if count > 0, file[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    }
    guard count > 0 else { throw Fault(.badConfiguration, "the password is empty") }
    guard count <= maxPasswordBytes else {
      throw Fault(.badConfiguration, "the password has more than \(maxPasswordBytes) bytes")
    }
    return .password(try Secret(copying: file.extracting(0..<count)))
  }

  /// A second value with the same bytes.
  public func copy() throws(Fault) -> SpaceSecret {
    switch self {
    case .password(let secret): .password(try secret.copy())
    case .accessKey(let secret): .accessKey(try secret.copy())
    }
  }

  /// A derivation of this kind of secret with a fresh salt.
  func freshDerivation(rounds: UInt32) throws(Fault) -> SpaceDerivation {
    let salt = try Random.bytes(SaltedWrapping.saltBytes)
    switch self {
    case .password: return .password(rounds: rounds, salt: salt)
    case .accessKey: return .accessKey(salt: salt)
    }
  }

  /// The unlocking key, 32 bytes (FORMAT 13).
  func unlockingKey(_ derivation: SpaceDerivation) throws(Fault) -> Secret {
    switch self {
    case .password(let password):
      guard case .password(let rounds, let salt) = derivation else {
        throw Fault(
          .badConfiguration, "the space opens with an access key, not with a password",
          hint: "name its file with --access-key-file")
      }
      return try PBKDF2.sha256(
        password: password.bytes, salt: salt.span, rounds: rounds, count: 32)
    case .accessKey(let key):
      guard case .accessKey(let salt) = derivation else {
        throw Fault(.badConfiguration, "the space opens with a password, not with an access key")
      }
      return try HKDF.extractSHA256(key: key.bytes, salt: salt.span)
    }
  }
}
