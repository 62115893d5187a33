internal import Synchronization
internal import VaultFault

/// What no output may say: secrets that a network tool has registered, and whatever looks like one.
///
/// Only what must be kept as text anyway is registered (tokens, secret access keys, signatures).
/// The tools that hold keys and passwords register none: they never put one into a message, and a
/// copy here would outlive the one that is wiped.
public final class Redaction: Sendable {
  /// What stands in a secret's place.
  public static let mark = "[secret]"
  // Shorter ones would blot out ordinary words, and so tell what they are.
  private static let shortest = 4

  private let secrets = Mutex<[[UInt8]]>([])

  /// Nothing is registered yet; the patterns hold from the start.
  public init() {}

  /// Registers a secret, and the forms in which a server or ``quoted(_:)`` may show it.
  ///
  /// Secrets of fewer than 4 bytes are ignored.
  public func hide(_ secret: String) {
    let bytes = Array(secret.utf8)
    guard bytes.count >= Redaction.shortest else { return }
    let escaped = Array(quoted(secret).utf8.dropFirst().prefix { $0 != UInt8(ascii: "\"") })
    let forms = [bytes, percentEncoded(bytes, upper: true), percentEncoded(bytes, upper: false)]
    secrets.withLock { known in
      for form in forms + (bytes.count <= 64 ? [escaped] : [])
      where form.count >= Redaction.shortest && !known.contains(form) { known.append(form) }
      known.sort { $0.count > $1.count }
    }
  }

  /// The text with ``mark`` in the place of every secret.
  public func applied(to text: String) -> String {
    var bytes = Array(text.utf8)
    for secret in secrets.withLock({ $0 }) {
      bytes = replacing(secret, in: bytes)
      bytes = replacingCutEnd(of: secret, in: bytes)
    }
    return String(decoding: SecretPatterns.redact(bytes), as: UTF8.self)
  }
}

private func replacing(_ secret: [UInt8], in bytes: [UInt8]) -> [UInt8] {
  guard bytes.count >= secret.count else { return bytes }
  var out: [UInt8] = []
  var index = 0
  while index < bytes.count {
    if bytes[index...].starts(with: secret) {
      out += Array(Redaction.mark.utf8)
      index += secret.count
    } else {
      out.append(bytes[index])
      index += 1
    }
  }
  return out
}

// A quoted string that was cut (`"…` at its end) may end inside a secret.
private func replacingCutEnd(of secret: [UInt8], in bytes: [UInt8]) -> [UInt8] {
  let cut = Array("\"…".utf8)
  var out = bytes
  for start in bytes.indices.reversed() where bytes[start...].starts(with: cut) {
    let longest = min(secret.count, start)
    let shown = (4...max(4, longest)).reversed().first {
      $0 <= longest && bytes[..<start].suffix($0).elementsEqual(secret.prefix($0))
    }
    if let shown { out.replaceSubrange((start - shown)..<start, with: Array(Redaction.mark.utf8)) }
  }
  return out
}

private func percentEncoded(_ bytes: [UInt8], upper: Bool) -> [UInt8] {
  let digits = Array((upper ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
  return bytes.flatMap { byte -> [UInt8] in
    let plain = isWordByte(byte) || Array("-._~".utf8).contains(byte)
    return plain ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
