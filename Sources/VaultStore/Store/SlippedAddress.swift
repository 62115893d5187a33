internal import VaultFault

/// A text that was meant to be an address in a store and is not written as one: `s3:/b/k`, `S3://b/k`,
/// `gs://b/k`. As a path it would be stored, or looked for, on this machine.
///
/// A path is never taken for one when it begins with `/` or `./`.
struct SlippedAddress {
  private let scheme: String
  private let rest: Substring

  private static let buckets = [
    "s3", "s3a", "s3n", "gs", "gcs", "minio", "ceph", "b2", "r2", "oss",
  ]
  private static let others = [
    "http", "https", "ftp", "ftps", "sftp", "ssh", "file", "az", "azure",
  ]

  /// Nil for what is a path.
  init?(_ text: String) {
    guard !text.hasPrefix("/"), !text.hasPrefix("./"), !text.hasPrefix("../") else { return nil }
    let bare = text.drop { $0.isWhitespace || "\"'<(`\u{FEFF}".contains($0) }
    let word = bare.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    scheme = asciiLowercased(String(word))
    let isKnown = (Self.buckets + Self.others).contains(scheme)
    let after = bare.dropFirst(word.count).drop { $0.isWhitespace }
    rest = after.drop { Self.marks.contains($0) }
    // Of a known scheme each of these, of any other word only what no name of a file looks like.
    let isMarked = after.hasPrefix("//") || after.first.map { ":;：".contains($0) } ?? false
    let isAddress = after.hasPrefix(":/") || after.hasPrefix(":\\") || text.contains("://")
    guard (isKnown && isMarked) || isAddress else { return nil }
  }

  private static let marks = ":;：/\\ "

  /// The right form of it.
  var hint: String {
    let form =
      switch scheme {
      case _ where Self.buckets.contains(scheme) && !rest.isEmpty:
        "write \(quoted("s3://" + rest))" + (scheme == "s3" ? "" : ", with AWS_ENDPOINT_URL_S3")
      case "file": "write file:///, then the path"
      case "http", "https": "a server that speaks S3 is named by AWS_ENDPOINT_URL_S3, a URL has ://"
      default: "write s3://bucket/key"
      }
    return form + "; for a file of such a name, put ./ before it"
  }

  /// Throws `kind` for one; `what` is the text's part in the command: "the destination".
  static func refuse(_ text: String, _ what: String, _ kind: FaultKind) throws(Fault) {
    guard let slip = SlippedAddress(text) else { return }
    // What is no bucket's may be a URL with a secret in it.
    let mayBeSecret = others.contains(slip.scheme) || text.contains("@") || text.contains("?")
    let shown = mayBeSecret ? String(text.prefix { !":/@?".contains($0) }) : text
    throw Fault(
      kind, "\(what) \(quoted(shown)) is neither s3://bucket/key nor a path", hint: slip.hint)
  }
}
