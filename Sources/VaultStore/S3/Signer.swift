internal import VaultDigest
internal import VaultFault
internal import VaultText

/// What a signature covers: a request in raw bytes, before any encoding.
struct SignableRequest: Sendable {
  /// `GET`, `PUT`, …
  var method: String
  /// The path, raw: not encoded and not cleaned.
  var path: [UInt8]
  /// Names and values, raw, in the order in which they are sent; `uploads` has an empty value.
  var query: [(name: String, value: String)] = []
  /// Headers to sign, `Host` among them.
  var headers: HttpHeaders
}

/// Where and when a signature is good.
struct SigningScope: Sendable {
  var region: String
  var service: String
  var time: Instant

  var text: String { "\(time.day)/\(region)/\(service)/aws4_request" }
}

/// AWS Signature Version 4, in the header and in the query.
///
/// S3 signs the path as it is. Every other service signs it with its dot segments and doubled slashes
/// removed: ``PathRule/normalised``.
struct Signer: Sendable {
  /// How the path enters the canonical request.
  enum PathRule: Sendable { case raw, normalised }

  var credentials: Credentials
  var scope: SigningScope
  var pathRule = PathRule.raw
  /// Leaves the session token out of what is signed (it is added after).
  var omitsSessionToken = false

  /// The headers to add to `request`: date, token, and the authorization.
  ///
  /// `payload` is the lower-case hex SHA-256 of the body.
  func headers(for request: SignableRequest, payload: String) throws(Fault) -> HttpHeaders {
    var added = HttpHeaders([("X-Amz-Date", scope.time.basic)])
    if let token = credentials.sessionToken { added.add("X-Amz-Security-Token", token) }
    var signed = request
    for (name, value) in added.fields where !(omitsSessionToken && name.hasSuffix("Token")) {
      signed.headers.add(name, value)
    }
    let canonical = CanonicalHeaders(signed.headers)
    let text = canonicalRequest(signed, canonical, payload: payload)
    let signature = try signature(of: stringToSign(text))
    added.add(
      "Authorization",
      "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope.text), "
        + "SignedHeaders=\(canonical.names), Signature=\(signature)")
    return added
  }

  /// The query items to add to `request` so that its URL alone is the permission.
  func presigned(
    _ request: SignableRequest, expires seconds: Int, payload: String
  ) throws(Fault) -> [(name: String, value: String)] {
    let canonical = CanonicalHeaders(request.headers)
    var added = [
      (name: "X-Amz-Algorithm", value: Self.algorithm),
      (name: "X-Amz-Credential", value: "\(credentials.accessKeyID)/\(scope.text)"),
      (name: "X-Amz-Date", value: scope.time.basic),
      (name: "X-Amz-SignedHeaders", value: canonical.names),
      (name: "X-Amz-Expires", value: String(seconds)),
    ]
    let token = credentials.sessionToken.map { (name: "X-Amz-Security-Token", value: $0) }
    if let token, !omitsSessionToken { added.append(token) }
    var signed = request
    signed.query += added
    let text = canonicalRequest(signed, canonical, payload: payload)
    let signature = try signature(of: stringToSign(text))
    if let token, omitsSessionToken { added.append(token) }
    return added + [(name: "X-Amz-Signature", value: signature)]
  }
}

extension Signer {
  static let algorithm = "AWS4-HMAC-SHA256"

  func canonicalRequest(
    _ request: SignableRequest, _ headers: CanonicalHeaders, payload: String
  ) -> String {
    let path = pathRule == .raw ? request.path : normalised(request.path)
    let begin = [request.method, percentEncoded(path: path), canonicalQuery(request.query)]
    return (begin + headers.lines + ["", headers.names, payload]).joined(separator: "\n")
  }

  func stringToSign(_ canonicalRequest: String) throws(Fault) -> String {
    let digest = hex(try Digest.of(Array(canonicalRequest.utf8).span, .sha256))
    return [Self.algorithm, scope.time.basic, scope.text, digest].joined(separator: "\n")
  }

  func signature(of stringToSign: String) throws(Fault) -> String {
    var key = Array("AWS4\(credentials.secretAccessKey)".utf8)
    for step in [scope.time.day, scope.region, scope.service, "aws4_request", stringToSign] {
      key = try HMAC.sha256(key: key.span, Array(step.utf8).span)
    }
    return hex(key)
  }
}

/// The headers as they are signed: names in lower case and sorted; values trimmed, runs of white
/// space made one space; the values of a repeated header joined in their order.
struct CanonicalHeaders {
  /// The names, with semicolons between.
  let names: String
  /// One line for each, without its end.
  let lines: [String]

  init(_ headers: HttpHeaders) {
    var values: [String: [String]] = [:]
    for (name, value) in headers.fields {
      let words = value.utf8.split { $0 == 0x20 || (0x09...0x0d).contains($0) }
      let trimmed = words.map { String(decoding: $0, as: UTF8.self) }
      values[asciiLowercased(name), default: []].append(trimmed.joined(separator: " "))
    }
    let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    names = sorted.map(\.key).joined(separator: ";")
    lines = sorted.map { "\($0.key):\($0.value.joined(separator: ","))" }
  }
}

/// The canonical query, which is also the query that is sent: sorted by encoded name, then value.
func canonicalQuery(_ items: [(name: String, value: String)]) -> String {
  items.map { (percentEncoded($0.name), percentEncoded($0.value)) }
    .sorted {
      $0.0 == $1.0
        ? $0.1.utf8.lexicographicallyPrecedes($1.1.utf8)
        : $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
    }
    .map { $0.0 + "=" + $0.1 }.joined(separator: "&")
}

// RFC 3986 §5.2.4, and doubled slashes made one.
private func normalised(_ path: [UInt8]) -> [UInt8] {
  var kept: [ArraySlice<UInt8>] = []
  let segments = path.split(separator: UInt8(ascii: "/"))
  for segment in segments {
    if segment.elementsEqual("..".utf8) {
      _ = kept.popLast()
    } else if !segment.elementsEqual(".".utf8) {
      kept.append(segment)
    }
  }
  let slash = [UInt8(ascii: "/")]
  let ends = path.last == slash[0] && !kept.isEmpty
  return slash + Array(kept.joined(separator: slash)) + (ends ? slash : [])
}
