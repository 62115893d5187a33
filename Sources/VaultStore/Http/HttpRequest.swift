/// A request, ready to be sent as it stands: nothing in it is encoded or signed again.
struct HttpRequest: Sendable {
  var method: String
  /// The whole URL. May hold a permission (presigned): never shown.
  var url: String
  var headers = HttpHeaders()
  var body = HttpBody.none
  /// Milliseconds that may pass while nothing moves; nil: what the client was told.
  var patience: Int?
  /// Milliseconds that the answer is waited for after everyone was asked to give up, once all of
  /// the request has gone out: when it decides whether something is there.
  var grace: UInt64 = 0
  /// Goes straight to the host, whatever the proxy variables say (link-local endpoints).
  var bypassesProxy = false
}

/// What a request carries; its length is always known.
enum HttpBody: Sendable {
  case none
  case bytes([UInt8])
  case part(any PartBytes)

  /// The bytes to send; nil for a request without a body.
  var source: (any PartBytes)? {
    switch self {
    case .none: nil
    case .bytes(let array): ArrayBytes(array)
    case .part(let part): part
    }
  }
}

/// The head of a final answer, and its body where it was kept.
struct HttpResponse: Sendable {
  var status: Int
  var headers: HttpHeaders
  var body: [UInt8] = []

  /// Whether the status is one of success.
  var isSuccess: Bool { (200...299).contains(status) }

  /// `Content-Length`, if it is one decimal.
  var contentLength: UInt64? { headers["content-length"].flatMap { UInt64($0) } }
}
