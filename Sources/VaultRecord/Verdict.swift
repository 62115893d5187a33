/// What `vault-open --check` says of one item: one JSON line.
public struct Verdict: Equatable, Sendable {
  /// What was found out (docs/SECURITY.md, what a success means).
  public enum Finding: Sendable {
    /// Every byte was authenticated, and the commitment of the body, or a digest of the object or its data, was
    /// compared with what the caller said.
    case verified(Bool)
    /// Every byte was authenticated, but nothing that the caller said pins them.
    case consistent(Bool)
  }

  /// The finding in one word, with the reason for a bad one.
  public enum Result: String, CaseIterable, Sendable {
    /// It is the expected object.
    case verified
    /// It is a good object; nothing pins which one.
    case consistent
    /// It is damaged, or not as its receipt says.
    case wrong
    /// No object came for a receipt.
    case missing
    /// No receipt names it.
    case unexpected
    /// It could not be read, or no key at hand opens it.
    case unread
  }

  /// The item's id; nil when it did not come so far.
  public var item: String?
  /// Where it was read from.
  public var object: String?
  /// True to `verified` only if something outside was compared.
  public var finding: Finding
  /// The same in one word.
  public var result: Result
  /// Bytes of the original.
  public var dataBytes: UInt64?
  /// Chunks of the body.
  public var chunks: UInt64?
  /// The algorithms of the digests of the data that were taken and compared with the manifest's.
  public var digests: [String]?
  /// What the caller said that was compared, in the words of receipts.
  public var compared: [String]?
  /// `detached` or `rewrapped`, when the object's own envelope is not the one of the receipt.
  public var envelope: String?
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
  public init(_ finding: Finding, _ result: Result, item: String? = nil) {
    self.finding = finding
    self.result = result
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
    json.add("result", result.rawValue)
    json.add("data_bytes", dataBytes)
    json.add("chunks", chunks)
    json.add("digests", raw: digests.map(JSONWriter.list))
    json.add("compared", raw: compared.map(JSONWriter.list))
    json.add("envelope", envelope)
    json.add("sha3_256_matches", sha3Matches)
    json.add("data_sha256_matches", dataSHA256Matches)
    json.add("source_etag", sourceETag)
    json.add("error", raw: error?.json)
    json.add("row", raw: row)
    return json.finish()
  }
}

extension Verdict.Finding: Equatable {}

/// What `vault-open --check` says last of many: one JSON line.
public struct VerdictCounts: Equatable, Sendable {
  /// How many verdicts there were of each result.
  public var results: [Verdict.Result: UInt64] = [:]
  /// Receipts that say `stored`, and so were to be answered; nil when there were no receipts.
  public var receipts: UInt64?
  /// Receipts that do not.
  public var notStored: UInt64?
  /// Lines that are no receipts.
  public var badLines: UInt64?

  /// Nothing counted yet.
  public init() {}

  /// The counts as one compact JSON object, without the line end.
  public var line: [UInt8] {
    var json = JSONWriter()
    var counts = JSONWriter()
    for result in Verdict.Result.allCases { counts.add(result.rawValue, results[result] ?? 0) }
    json.add("verdicts", "vault/1")
    json.add("results", raw: counts.finish())
    json.add("receipts", receipts)
    json.add("not_stored", notStored)
    json.add("bad_lines", badLines)
    return json.finish()
  }
}
