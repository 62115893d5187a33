/// How a bucket is reached; nothing in it is secret but the values of `headers`.
public struct S3Settings: Sendable {
  /// The region that requests are signed for.
  public var region: String
  /// Another server than Amazon's: `http://127.0.0.1:8333`, a path before the bucket allowed.
  public var endpoint: String?
  /// How the bucket stands in the URL.
  public var addressing = Addressing.auto
  /// A file of certificate authorities instead of the system's.
  public var caFile: String?
  /// Milliseconds that may pass while nothing moves (`--idle-timeout`).
  public var patience = 60_000
  /// The `--header`s, for those calls that get no hints: `abort`, `listParts`, reads.
  public var headers: [(name: String, value: String)] = []
  /// Told of each secret that credentials bring, so that no output can say it.
  public var hide: @Sendable (String) -> Void = { _ in }
  /// Sent as `User-Agent`.
  public var agent = "vault-tools"

  /// Amazon's servers in that region.
  public init(region: String) { self.region = region }
}
