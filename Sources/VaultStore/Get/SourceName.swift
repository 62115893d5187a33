public import VaultFault
public import VaultIO

/// Where an object is read from.
public enum SourceName: Equatable, Sendable {
  /// `s3://bucket/key`
  case object(S3Location)
  /// A path, or a `file:` URL, the only form that is %-decoded.
  case file(Path)
  /// An http or https URL: a secret, since it may be the permission itself.
  case url(String)

  /// Reads what an argument or a row says.
  ///
  /// - Throws: `usage` for another scheme and for a bad `file:` URL; `bad-target` for a bucket or a
  ///   key that cannot be. No message shows a URL.
  public init(_ text: String) throws(Fault) {
    let scheme = asciiLowercased(String(text.prefix { $0 != ":" }))
    if text.utf8.starts(with: "s3://".utf8) {
      self = .object(try S3Location(text))
    } else if let rest = text.droppingPrefix("file:") {
      self = .file(try SourceName.path(inURL: rest))
    } else if ["http", "https"].contains(scheme), text.firstRange(of: "://") != nil {
      self = .url(text)
    } else {
      try SlippedAddress.refuse(text, "the source", .usage)
      self = .file(Path(text))
    }
  }

  /// What labels and messages show: of a URL only the host.
  public var shown: String {
    switch self {
    case .object(let location): location.text
    case .file(let path): String(decoding: path.bytes, as: UTF8.self)
    case .url(let url): URLSource.shownAddress(of: url)
    }
  }

  // RFC 8089: `file:/path`, `file:///path`, `file://localhost/path`.
  private static func path(inURL rest: String) throws(Fault) -> Path {
    let path =
      rest.droppingPrefix("//localhost/").map { "/" + $0 }
      ?? rest.droppingPrefix("///").map { "/" + $0 } ?? rest
    guard path.hasPrefix("/"), !path.hasPrefix("//"), let decoded = path.percentDecoded else {
      throw Fault(.usage, "a file: URL needs a whole path on this machine")
    }
    return Path(decoded)
  }
}
