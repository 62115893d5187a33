/// A request to a bucket, before it has a host and a signature.
struct S3Request: Sendable {
  var method: String
  /// The key, raw; nil: the bucket itself.
  var key: String?
  var query: [(name: String, value: String)] = []
  var headers = HttpHeaders()
  var body = HttpBody.none
  /// Lower-case hex SHA-256 of the body.
  var payload = S3Request.emptyPayload
  /// Its answer says whether an object or an upload is there: worth waiting for, also to the end.
  var isDecisive = false
  /// What is tried, for messages: `cannot store part 3 of "…"`.
  var attempt: String

  static let emptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
}
