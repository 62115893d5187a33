public import VaultFault

/// An object behind a URL that is itself the permission (presigned), or with a bearer token.
///
/// The URL and the token are secrets: no message shows more than the host.
public struct URLSource: ObjectSource {
  private let client: HttpClient
  private let url: String
  private let bearer: String?

  /// Takes the URL as it is.
  ///
  /// - Throws: ``VaultFault/FaultKind/badConfiguration`` for one that is not http or https, has a
  ///   user name in it, or holds bytes that no URL has; the message shows nothing of it.
  public init(_ url: String, bearer: String? = nil, _ settings: S3Settings) throws(Fault) {
    let isPlain = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    let rest = url.utf8.drop { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let base = String(decoding: Array(url.utf8.dropLast(rest.count)), as: UTF8.self)
    guard isPlain, let host = Self.host(base) else {
      throw Fault(.badConfiguration, "the URL is not a good http or https one")
    }
    if let bearer, !bearer.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) {
      throw Fault(.badConfiguration, "the bearer token has a character that none has")
    }
    self.url = url
    self.bearer = bearer
    shown = quoted(host)
    client = HttpClient(
      HttpSettings(caFile: settings.caFile, patience: settings.patience, agent: settings.agent))
  }

  /// The host.
  public let shown: String

  private static func host(_ base: String) -> String? {
    let scheme = asciiLowercased(String(base.prefix { $0 != ":" }))
    guard scheme == "http" || scheme == "https" else { return nil }
    let rest = base.dropFirst(scheme.count)
    guard rest.hasPrefix("://") else { return nil }
    let authority = rest.dropFirst(3).prefix { $0 != "/" }
    return authority.isEmpty || authority.contains("@") ? nil : String(authority)
  }

  /// One GET.
  public func fetch(
    _ wish: ByteWish, pin: String?, stop: StopFlag,
    sink: (ObjectHead, Span<UInt8>) throws(Fault) -> Void
  ) throws(StoreFault) -> ObjectHead {
    let attempt = "cannot read from \(shown)"
    var headers = HttpHeaders()
    if let range = wish.header { headers.add("Range", range) }
    if let pin { headers.add("If-Match", pin) }
    if let bearer { headers.add("Authorization", "Bearer \(bearer)") }
    let request = HttpRequest(method: "GET", url: url, headers: headers)
    var reading = HttpReading(wish, pin: pin)
    var refusal: [UInt8] = []
    do throws(HttpFailure) {
      var response = try client.exchange(request, stop: stop) { head, piece throws(HttpFailure) in
        if head.isSuccess { return try reading.take(head, piece, sink) }
        if refusal.count + piece.count <= HttpClient.keptLimit { append(piece, to: &refusal) }
      }
      response.body = refusal
      guard response.isSuccess else { throw Self.refused(response) }
      return try reading.finish(response)
    } catch {
      throw asReading(error.fault(attempt), attempt)
    }
  }

  private static func refused(_ response: HttpResponse) -> HttpFailure {
    let error = S3Error(response)
    switch error.verdict {
    case .transient:
      let wish = retryAfter(response, now: .now)
      return HttpFailure(
        kind: .remoteFailed, reason: error.words, remedy: .transient(retryAfterSeconds: wish))
    case .permanent(let kind): return HttpFailure(kind: kind, reason: error.words)
    case .elsewhere: return HttpFailure(kind: .remoteRefused, reason: error.words)
    case .expired, .skewed:
      return HttpFailure(
        kind: .remoteDenied, reason: error.words, hint: "the URL may be over: ask for a new one")
    }
  }
}
