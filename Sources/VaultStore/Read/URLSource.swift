internal import Synchronization
public import VaultFault

/// An object behind a URL that is itself the permission (presigned), or with a bearer token.
///
/// The URL and the token are secrets: no message shows more than the host.
///
/// A source that follows links takes a JSON answer with `downloadUrl` for what that URL gives.
public final class URLSource: ObjectSource {
  private let client: HttpClient
  let followsLinks: Bool
  let address: Mutex<Address>

  struct Address: Sendable {
    var url: String
    var bearer: String?
    var isLinked = false
  }

  /// Takes the URL as it is.
  ///
  /// - Throws: ``VaultFault/FaultKind/badConfiguration`` for one that is not http or https, has a
  ///   user name in it, or holds bytes that no URL has; the message shows nothing of it.
  public convenience init(
    _ url: String, bearer: String? = nil, _ settings: S3Settings
  ) throws(Fault) {
    try self.init(
      url, bearer: bearer, followsLinks: false, HttpClient(HttpSettings(settings)))
  }

  init(
    _ url: String, bearer: String?, followsLinks: Bool, _ client: HttpClient
  ) throws(Fault) {
    shown = quoted(try Self.checkedHost(url))
    if let bearer, bearer.isEmpty || !bearer.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) {
      throw Fault(.badConfiguration, "the bearer token has a character that none has")
    }
    self.client = client
    self.followsLinks = followsLinks
    address = Mutex(Address(url: url, bearer: bearer))
  }

  /// The URL without all that may be secret: `https://host`.
  static func shownAddress(of url: String) -> String {
    let scheme = asciiLowercased(String(url.prefix { $0 != ":" }))
    return (try? checkedHost(url)).map { "\(scheme)://\($0)" } ?? "a URL"
  }

  static func checkedHost(_ url: String) throws(Fault) -> String {
    let isPlain = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    let rest = url.utf8.drop { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let base = String(decoding: Array(url.utf8.dropLast(rest.count)), as: UTF8.self)
    guard isPlain, let host = host(base) else {
      throw Fault(.badConfiguration, "the URL is not a good http or https one")
    }
    return host
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

  /// One GET; two when the first answer is a link.
  public func fetch(
    _ wish: ByteWish, pin: String?, stop: StopFlag,
    sink: (ObjectHead, Span<UInt8>) throws(Fault) -> Void
  ) throws(StoreFault) -> ObjectHead {
    let attempt = "cannot read from \(shown)"
    do throws(HttpFailure) {
      if let head = try ask(wish, pin, stop, sink) { return head }
      if let head = try ask(wish, pin, stop, sink) { return head }
      throw HttpFailure(kind: .remoteRefused, reason: "the link leads to another link")
    } catch {
      throw asReading(error.fault(attempt), attempt)
    }
  }

  // Nil: the answer was a link, which is where the next one is asked.
  private func ask(
    _ wish: ByteWish, _ pin: String?, _ stop: StopFlag,
    _ sink: (ObjectHead, Span<UInt8>) throws(Fault) -> Void
  ) throws(HttpFailure) -> ObjectHead? {
    let address = address.withLock { $0 }
    var reading = HttpReading(wish, pin: pin)
    var kept: [UInt8] = []
    var response = try client.exchange(request(address, wish, pin), stop: stop) {
      head, piece throws(HttpFailure) in
      if head.isSuccess, !mayBeLink(head, address) { return try reading.take(head, piece, sink) }
      if kept.count + piece.count <= HttpClient.keptLimit { append(piece, to: &kept) }
    }
    response.body = kept
    guard response.isSuccess else { throw Self.refused(response) }
    if mayBeLink(response, address) {
      if try follow(kept) { return nil }
      try reading.take(response, kept.span, sink)
    }
    return try reading.finish(response)
  }

  private func request(_ address: Address, _ wish: ByteWish, _ pin: String?) -> HttpRequest {
    var headers = HttpHeaders()
    if let range = wish.header { headers.add("Range", range) }
    if let pin { headers.add("If-Match", pin) }
    if let bearer = address.bearer { headers.add("Authorization", "Bearer \(bearer)") }
    return HttpRequest(method: "GET", url: address.url, headers: headers)
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
