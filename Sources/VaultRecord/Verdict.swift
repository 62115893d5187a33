/// What `vault-open --check` says of one item: one JSON line.
public struct Verdict: Equatable, Sendable {
  /// What was found out.
  public enum Finding: Sendable {
    /// Everything was checked, and it is the object that a receipt names (its `body` or `sha256`).
    case verified(Bool)
    /// Everything was checked, but nothing outside says that it is the right object.
    case consistent(Bool)
  }

  /// The item's id; nil when it did not come so far.
  public var item: String?
  /// Where it was read from.
  public var object: String?
  /// True to `verified` only if something outside was compared.
  public var finding: Finding
  /// Bytes of the original.
  public var dataBytes: UInt64?
  /// Chunks of the body.
  public var chunks: UInt64?
  /// The algorithms of the digests of the data that were taken and compared with the manifest's.
  public var digests: [String]?
  /// Whether the row's SHA3-256 is the data's; nil when the row had none.
  public var sha3Matches: Bool?
  /// The same of SHA-256.
  public var dataSHA256Matches: Bool?
  /// The tag of the source, from the manifest.
  public var sourceETag: String?
  /// Why it is neither.
  public var error: RecordError?
  /// The caller's row, without the private members.
  public var row: [UInt8]?

  /// A verdict with nothing else yet.
  public init(_ finding: Finding, item: String? = nil) {
    self.finding = finding
    self.item = item
  }

  /// The verdict as one compact JSON object, without the line end.
  public var line: [UInt8] {
    var json = JSONWriter()
    json.add("verdict", "vault/1")
    json.add("item", item)
    json.add("object", object)
    switch finding {
    case .verified(let truth): json.add("verified", truth)
    case .consistent(let truth): json.add("consistent", truth)
    }
    json.add("data_bytes", dataBytes)
    json.add("chunks", chunks)
    json.add("digests", raw: digests.map(JSONWriter.list))
    json.add("sha3_256_matches", sha3Matches)
    json.add("data_sha256_matches", dataSHA256Matches)
    json.add("source_etag", sourceETag)
    json.add("error", raw: error?.json)
    json.add("row", raw: row)
    return json.finish()
  }
}

extension Verdict.Finding: Equatable {}
