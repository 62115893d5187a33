public import VaultCrypto
internal import VaultDigest
internal import VaultText
public import VaultFault

/// The files that hold keys, read from their bytes.
///
/// Text files are UTF-8; a byte order mark is skipped, lines end with LF or CRLF, the last one need
/// not. No fault repeats anything of a file; each names the line.
public enum KeyFile {
  /// The keys that one file may hold.
  public static let maxKeys = 256

  /// The identities of a file, one a line; blank lines and lines that begin with `#` are skipped.
  /// - Throws: ``FaultKind/badKeyFile`` for a line that is no X25519 identity, no identity at all,
  ///   or more than ``maxKeys``.
  public static func identities(_ file: Span<UInt8>) throws(Fault) -> [Identity] {
    var found: [Identity] = []
    for line in try KeyLines.ranges(of: file, fault: .badKeyFile) {
      do throws(Fault) {
        found.append(try Identity(text: file.extracting(line.range)))
      } catch { throw error.inLine(line.number) }
    }
    guard !found.isEmpty else { throw Fault(.badKeyFile, "the file holds no identity") }
    return found
  }

  /// The recipients of a file, one a line, in order; blank lines and comments are skipped.
  /// - Throws: ``FaultKind/badRecipient`` as ``identities(_:)``.
  public static func recipients(_ file: Span<UInt8>) throws(Fault) -> [Recipient] {
    var found: [Recipient] = []
    for line in try KeyLines.ranges(of: file, fault: .badRecipient) {
      do throws(Fault) {
        found.append(try Recipient(text: file.extracting(line.range)))
      } catch { throw error.inLine(line.number) }
    }
    guard !found.isEmpty else { throw Fault(.badRecipient, "the file holds no recipient") }
    return found
  }

  /// A key-encryption key: 32 raw bytes, or one line with them as hex (64 digits) or base64 (44
  /// characters, or 43 without the `=`).
  /// - Throws: ``FaultKind/badKeyFile`` for anything else, naming the size.
  public static func keyEncryptionKey(_ file: Span<UInt8>) throws(Fault) -> Secret {
    if file.count == 32 { return try Secret(copying: file) }
    if let encoding = KeyLines.utf16(file) { throw Fault(.badKeyFile, encoding) }
    let text = file.extracting(KeyLines.onlyLine(of: file))
    return try Secret(count: 32) { (out) throws(Fault) in
      let good =
        switch text.count {
        case 64: decode(hex: text, into: &out)
        case 44: Base64.decode(text, padded: true, into: &out) == 32
        case 43: Base64.decode(text, padded: false, into: &out) == 32
        default: false
        }
      guard good else {
        throw Fault(
          .badKeyFile, "the file has \(file.count) bytes and is no key of 32 bytes",
          hint: "a key file holds 32 raw bytes, or one line of 64 hex digits or of base64")
      }
    }
  }
}

extension Fault {
  fileprivate func inLine(_ number: Int) -> Fault {
    Fault(kind, "line \(number): \(reason)", hint: hint)
  }
}
