public import VaultFault

/// `s3://bucket/key`: everything after the slash is the key, byte for byte.
///
/// Nothing is decoded, cleaned or trimmed: `//a`, `a/../b`, `a%20b` and `?` are keys like others.
public struct S3Location: Hashable, Sendable {
  /// The bucket's name.
  public let bucket: String
  /// The key, 1 to 1,024 bytes of UTF-8.
  public let key: String

  /// The longest key, in bytes.
  public static let keyLimit = 1024

  /// Reads a location.
  ///
  /// - Throws: ``VaultFault/FaultKind/badTarget`` if it is not one.
  public init(_ text: String) throws(Fault) {
    guard text.utf8.starts(with: "s3://".utf8) else {
      throw Fault(.badTarget, "\(quoted(text)) does not begin with s3://")
    }
    let rest = text.utf8.dropFirst(5)
    let bucket = rest.prefix { $0 != UInt8(ascii: "/") }
    let key = rest.dropFirst(bucket.count + 1)
    try self.init(
      bucket: String(decoding: Array(bucket), as: UTF8.self),
      key: String(decoding: Array(key), as: UTF8.self))
  }

  /// Takes a bucket and a key.
  ///
  /// - Throws: ``VaultFault/FaultKind/badTarget`` if one of them cannot be.
  public init(bucket: String, key: String) throws(Fault) {
    guard isBucketName(bucket) else {
      throw Fault(.badTarget, "\(quoted(bucket)) is not a bucket's name")
    }
    guard (1...Self.keyLimit).contains(key.utf8.count) else {
      let count = key.utf8.count
      throw Fault(
        .badTarget, count == 0 ? "no key after the bucket" : "the key has \(count) bytes",
        hint: count == 0 ? "write s3://BUCKET/KEY" : "a key has at most \(Self.keyLimit) bytes")
    }
    self.bucket = bucket
    self.key = key
  }

  /// What messages and receipts show.
  public var text: String { "s3://\(bucket)/\(key)" }

  /// The same for the store's calls.
  public var name: ObjectName { ObjectName(key: key, shown: text) }
}

// Wider than today's rules: older buckets and other servers have capitals and underscores.
func isBucketName(_ name: String) -> Bool {
  guard (1...255).contains(name.utf8.count), name != ".", name != ".." else { return false }
  return name.utf8.allSatisfy {
    switch $0 {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
    default: false
    }
  }
}

/// How the bucket stands in the URL.
public enum Addressing: String, CaseIterable, Sendable {
  /// Before the host where the host is Amazon's and the bucket's name fits a certificate, else path.
  case auto
  /// `https://host/bucket/key`
  case path
  /// `https://bucket.host/key`
  case virtual
}
