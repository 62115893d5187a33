internal import Synchronization
internal import VaultFault

/// One bucket as this process talks to it: signs, sends, and says what a refusal means.
///
/// Safe from any thread. It learns the server's clock, region and kind from answers; whoever was
/// refused for such a reason is told to call again.
final class S3Session: Sendable {
  let bucket: String
  let settings: S3Settings
  let credentials: CredentialChain
  let now: @Sendable () -> Instant
  let given: Endpoint?
  private let client: HttpClient
  private let learnt: Mutex<Learnt>

  /// What answers have taught.
  struct Learnt: Sendable {
    var region: String
    /// The server's clock less ours, in seconds.
    var clockOffset: Int64 = 0
    var moves = 0
    var server = S3Server.unknown
  }

  init(
    bucket: String, _ settings: S3Settings, _ credentials: CredentialChain,
    now: @escaping @Sendable () -> Instant = { .now }
  ) throws(Fault) {
    // It becomes a part of the host's name or of the path, and must not end either.
    guard isBucketName(bucket) else {
      throw Fault(.badTarget, "\(quoted(bucket)) is not a bucket's name")
    }
    self.bucket = bucket
    self.settings = settings
    self.credentials = credentials
    self.now = now
    if let text = settings.endpoint { given = try Endpoint(text) } else { given = nil }
    let isAmazon = given?.isAmazon ?? true
    learnt = Mutex(Learnt(region: settings.region, server: isAmazon ? .amazon : .unknown))
    client = HttpClient(
      HttpSettings(caFile: settings.caFile, patience: settings.patience, agent: settings.agent))
  }

  /// The kind of server, so far as its answers have shown.
  var server: S3Server { learnt.withLock { $0.server } }

  /// Sends a request; only an answer of success returns, with its body.
  func send(_ request: S3Request, stop: StopFlag) throws(StoreFault) -> HttpResponse {
    try send(request, stop) { signed throws(HttpFailure) in try client.send(signed, stop: stop) }
  }

  /// Sends a request and gives the body of an answer of success to `sink`.
  func stream(
    _ request: S3Request, stop: StopFlag,
    sink: (HttpResponse, Span<UInt8>) throws(HttpFailure) -> Void
  ) throws(StoreFault) -> HttpResponse {
    try send(request, stop) { signed throws(HttpFailure) in
      var refusal: [UInt8] = []
      var answer = try client.exchange(signed, stop: stop) { head, piece throws(HttpFailure) in
        if head.isSuccess { return try sink(head, piece) }
        if refusal.count + piece.count <= HttpClient.keptLimit { append(piece, to: &refusal) }
      }
      answer.body = refusal
      return answer
    }
  }

  private func send(
    _ request: S3Request, _ stop: StopFlag,
    by exchange: (HttpRequest) throws(HttpFailure) -> HttpResponse
  ) throws(StoreFault) -> HttpResponse {
    let keys = try credentials.current(stop: stop)
    let state = learnt.withLock { $0 }
    let signed = try permanently { () throws(Fault) in try sign(request, keys, state) }
    let response: HttpResponse
    do { response = try exchange(signed) } catch { throw error.fault(request.attempt) }
    learn(from: response)
    guard response.isSuccess else { throw refusal(response, request, keys, state, stop) }
    return response
  }

  private func learn(from response: HttpResponse) {
    let server = S3Server(response.headers)
    learnt.withLock {
      // An error page of a proxy says less than the server behind it.
      if $0.server == .unknown || $0.server == .other { $0.server = server }
    }
  }

  /// Takes the server's time for ours; false: it is what was used already.
  func adoptClock(of response: HttpResponse, over state: Learnt) -> Bool {
    guard let date = response.headers["date"].flatMap(Instant.init(httpDate:)) else { return false }
    let offset = date.seconds - now().seconds
    guard abs(offset - state.clockOffset) > 60 else { return false }
    learnt.withLock { $0.clockOffset = offset }
    return true
  }

  /// Signs for that region from now on; false: it was tried, or regions were changed too often.
  func adopt(region: String?, over state: Learnt) -> Bool {
    guard let region, region != state.region else { return false }
    return learnt.withLock {
      // Another thread may have learnt it while this one's request was on its way.
      if $0.region == region { return true }
      guard $0.moves < 2 else { return false }
      $0.moves += 1
      $0.region = region
      return true
    }
  }
}
