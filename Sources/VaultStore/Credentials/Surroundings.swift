internal import VaultFault
internal import VaultIO

/// What credentials and settings are read from: variables, files, the clock. Tests bring their own.
struct Surroundings: Sendable {
  /// The value of a variable; nil if it is not set or empty.
  var variable: @Sendable (String) -> String?
  /// A whole file; nil if it is not there.
  var file: @Sendable (String) throws(Fault) -> [UInt8]?
  var now: @Sendable () -> Instant
  /// Told of each secret that is read.
  var hide: @Sendable (String) -> Void = { _ in }

  /// Those of this process.
  static let process = Surroundings(
    variable: { name in
      guard let value = Environment.value(name), !value.isEmpty else { return nil }
      return value
    },
    file: { path throws(Fault) in
      guard File.kind(Path(path)) != nil else { return nil }
      return try File.read(Path(path), limit: 1 << 20, orFail: .badConfiguration)
    },
    now: { .now })

  /// A token from a file; trimmed, and never shown.
  func secret(_ path: String) throws(Fault) -> String {
    let secret = try text(path)
    hide(secret)
    return secret
  }

  private func text(_ path: String) throws(Fault) -> String {
    guard let bytes = try file(path) else {
      throw Fault(.noCredentials, "cannot open \(quoted(path)): no such file")
    }
    return trimmed(bytes[...])
  }

  /// Whether a variable says yes.
  func isTrue(_ name: String) -> Bool { variable(name).map(asciiLowercased) == "true" }
}

/// Without white space at either end.
func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
  let front = bytes.drop(while: isXMLSpace)
  return String(decoding: Array(front.reversed().drop(while: isXMLSpace).reversed()), as: UTF8.self)
}

func trimmed(_ text: some StringProtocol) -> String { trimmed(Array(text.utf8)[...]) }
