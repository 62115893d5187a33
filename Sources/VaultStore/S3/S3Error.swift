internal import VaultFault

/// A refusal of S3, as far as it says what it is: the body of HEAD's answers is never there.
struct S3Error: Sendable {
  var status: Int
  /// `NoSuchUpload`, `SlowDown`, …; empty when the answer had no such body.
  var code = ""
  /// The region that an answer asks for.
  var region: String?

  /// Reads any answer that is not the one hoped for.
  init(_ response: HttpResponse) {
    status = response.status
    region = response.headers["x-amz-bucket-region"].flatMap { isRegionName($0) ? $0 : nil }
    guard let root = XMLElement(document: response.body) else { return }
    take(root.name == "ErrorResponse" ? root["Error"] ?? root : root)
  }

  private mutating func take(_ error: XMLElement) {
    code = error.text("Code").flatMap { isCode($0) ? $0 : nil } ?? ""
    if region == nil { region = error.text("Region").flatMap { isRegionName($0) ? $0 : nil } }
  }

  /// What a person reads: the code where there is one, never the server's free text, which may
  /// repeat what we sent.
  var words: String {
    code.isEmpty ? "the server answered \(status)" : "the server answered \(status) \(code)"
  }
}

/// What a refusal comes to.
enum S3Verdict: Equatable, Sendable {
  /// It may pass.
  case transient
  /// Our clock is wrong.
  case skewed
  /// Our credentials are over.
  case expired
  /// Another region has the bucket.
  case elsewhere
  /// It will happen again, as this fault.
  case permanent(FaultKind)
}

extension S3Error {
  /// The table of codes, then the table of statuses, for servers and answers without a code.
  var verdict: S3Verdict { Self.codes[code] ?? byStatus }

  private static let codes: [String: S3Verdict] = [
    "InternalError": .transient, "ServiceUnavailable": .transient, "SlowDown": .transient,
    "Throttling": .transient, "ThrottlingException": .transient, "TooManyRequests": .transient,
    "RequestLimitExceeded": .transient, "BandwidthLimitExceeded": .transient,
    "RequestTimeout": .transient, "RequestTimeoutException": .transient,
    "IncompleteBody": .transient, "OperationAborted": .transient,
    "ConditionalRequestConflict": .transient, "PriorRequestNotComplete": .transient,
    "IDPCommunicationError": .transient,
    // The bytes were right when they left: a damaged way.
    "BadDigest": .transient, "XAmzContentSHA256Mismatch": .transient,
    "XAmzContentChecksumMismatch": .transient,
    "RequestTimeTooSkewed": .skewed, "RequestInTheFuture": .skewed,
    "ExpiredToken": .expired, "ExpiredTokenException": .expired, "TokenRefreshRequired": .expired,
    "PermanentRedirect": .elsewhere, "TemporaryRedirect": .elsewhere, "Redirect": .elsewhere,
    "AuthorizationHeaderMalformed": .elsewhere, "IllegalLocationConstraintException": .elsewhere,
    "AccessDenied": .permanent(.remoteDenied), "InvalidAccessKeyId": .permanent(.remoteDenied),
    "SignatureDoesNotMatch": .permanent(.remoteDenied), "InvalidToken": .permanent(.remoteDenied),
    "AccountProblem": .permanent(.remoteDenied), "AllAccessDisabled": .permanent(.remoteDenied),
    "NoSuchKey": .permanent(.missingObject), "NoSuchUpload": .permanent(.missingObject),
    "NoSuchVersion": .permanent(.missingObject), "NoSuchBucket": .permanent(.remoteRefused),
    "InvalidRange": .permanent(.badRange), "PreconditionFailed": .permanent(.exists),
    "XMinioStorageFull": .permanent(.storageFull), "StorageFull": .permanent(.storageFull),
    "InsufficientStorage": .permanent(.storageFull), "QuotaExceeded": .permanent(.storageFull),
    "XMinioAdminBucketQuotaExceeded": .permanent(.storageFull),
    "NotImplemented": .permanent(.remoteRefused),
  ]

  private var byStatus: S3Verdict {
    switch status {
    case 301, 302, 303, 307, 308: .elsewhere
    case 401, 403, 407: .permanent(.remoteDenied)
    case 404, 410: .permanent(.missingObject)
    case 408, 409, 425, 429: .transient
    case 412: .permanent(.exists)
    case 416: .permanent(.badRange)
    case 501, 505: .permanent(.remoteRefused)
    case 507: .permanent(.storageFull)
    // A refusal inside a 200, without a code that says more.
    case 200..<300, 500...: .transient
    default: .permanent(.remoteRefused)
    }
  }
}

/// The seconds that an answer asks us to wait, from `Retry-After` in either form.
func retryAfter(_ response: HttpResponse, now: Instant) -> UInt64? {
  guard let text = response.headers["retry-after"] else { return nil }
  if let seconds = UInt64(text) { return seconds }
  let date = Instant(httpDate: text)
  return date.map { UInt64(max(0, $0.seconds - now.seconds)) }
}

// Shorter than a signature, so that none is repeated to us as a code; S3's longest has 46 letters.
private func isCode(_ text: String) -> Bool {
  text.utf8.count <= 48 && text.utf8.allSatisfy(isCodeByte)
}

private func isCodeByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2e, 0x2d, 0x5f: true
  default: false
  }
}
