internal import Synchronization
internal import VaultFault
internal import VaultIO

/// What all requests of a client share.
struct HttpSettings: Sendable {
  /// A file of certificate authorities instead of the system's (`AWS_CA_BUNDLE`).
  var caFile: String?
  /// Milliseconds that may pass while nothing moves (`--idle-timeout`).
  var patience = 60_000
  /// Sent as `User-Agent`.
  var agent = "vault-tools"
}

/// Sends requests over HTTP/1.1 and waits for their answers; safe from any thread.
///
/// A caller borrows a connection for its exchange, the one used last first, so that n threads keep
/// n connections alive. Nothing is tried again here and no redirect is followed. Only time spent
/// waiting for the network counts against the patience: never the time of a source or a sink.
final class HttpClient: Sendable {
  /// The longest body that is kept whole: answers in XML and JSON.
  static let keptLimit = 1 << 20

  private let settings: HttpSettings
  private let idle = Mutex<[Wire]>([])

  init(_ settings: HttpSettings = HttpSettings()) { self.settings = settings }

  /// Sends `request`; the answer has its body, at most ``keptLimit`` bytes of it.
  func send(_ request: HttpRequest, stop: StopFlag) throws(HttpFailure) -> HttpResponse {
    var body: [UInt8] = []
    var response = try exchange(request, stop: stop) { _, piece throws(HttpFailure) in
      guard body.count + piece.count <= Self.keptLimit else {
        throw HttpFailure(
          kind: .remoteRefused, reason: "the answer is too long")
      }
      append(piece, to: &body)
    }
    response.body = body
    return response
  }

  /// Sends `request` and gives the answer's body to `sink` as it comes, with the answer's head.
  ///
  /// The sink takes as long as it wants: the remote waits. What it throws ends the exchange.
  func exchange(
    _ request: HttpRequest, stop: StopFlag,
    sink: (HttpResponse, Span<UInt8>) throws(HttpFailure) -> Void
  ) throws(HttpFailure) -> HttpResponse {
    let wire = try borrow()
    defer {
      wire.finish()
      idle.withLock { $0.append(wire) }
    }
    let patience = request.patience ?? settings.patience
    try wire.prepare(
      complete(request), caFile: settings.caFile, connectMilliseconds: min(30_000, patience))
    do {
      return try run(wire, request, Patience(milliseconds: patience), stop, sink)
    } catch { throw error.after(wire) }
  }

  private func borrow() throws(HttpFailure) -> Wire {
    if let wire = idle.withLock({ $0.popLast() }) { return wire }
    return try Wire()
  }

  private func complete(_ request: HttpRequest) -> HttpRequest {
    var complete = request
    complete.headers.add("User-Agent", settings.agent)
    complete.headers.add("Accept-Encoding", "identity")
    return complete
  }

  private func run(
    _ wire: Wire, _ request: HttpRequest, _ patience: consuming Patience, _ stop: StopFlag,
    _ sink: (HttpResponse, Span<UInt8>) throws(HttpFailure) -> Void
  ) throws(HttpFailure) -> HttpResponse {
    let source = request.body.source
    var grace = Grace(milliseconds: request.grace)
    var head: HttpResponse?
    var got: UInt64 = 0
    while true {
      if stop.isRaised { try grace.spend(wire.hasSentAll) }
      if let source { try wire.feed(source) }
      let isOver = wire.move()
      if head == nil, let status = wire.status {
        head = HttpResponse(status: status, headers: wire.head)
      }
      if let head {
        try wire.drain { piece throws(HttpFailure) in
          got += UInt64(piece.count)
          try sink(head, piece)
        }
      }
      if isOver { return try answer(wire, head) }
      if let head, wire.answeredEarly, head.contentLength == got || patience.isShort { return head }
      try patience.spend(wire.wait(milliseconds: 100), moved: wire.moved)
    }
  }

  // An answer that came while the body was still being sent is the answer, whatever became of the
  // connection after it.
  private func answer(_ wire: Wire, _ head: HttpResponse?) throws(HttpFailure) -> HttpResponse {
    if let failure = wire.failure, head == nil || !wire.answeredEarly { throw failure }
    guard let head else { throw .transient("the connection was closed without an answer") }
    return head
  }
}

/// The time that an answer still has after everyone was asked to give up.
private struct Grace {
  let milliseconds: UInt64
  private var end: UInt64?

  init(milliseconds: UInt64) { self.milliseconds = milliseconds }

  mutating func spend(_ hasSentAll: Bool) throws(HttpFailure) {
    guard hasSentAll else { throw .stopped }
    let end = end ?? Clock.deadline(inMilliseconds: milliseconds)
    self.end = end
    if Clock.monotonic() >= end { throw .stopped }
  }
}

/// Counts the time in which nothing moved.
private struct Patience {
  let milliseconds: Int
  private var spent = 0
  private var lastMoved: Int64 = -1

  init(milliseconds: Int) { self.milliseconds = milliseconds }

  /// Nothing moved for a second: no more of an early answer will come.
  var isShort: Bool { spent >= 1000 }

  mutating func spend(_ waited: Int, moved: Int64) throws(HttpFailure) {
    spent = moved == lastMoved ? spent + waited : 0
    lastMoved = moved
    if spent >= milliseconds { throw .quiet(milliseconds: milliseconds) }
  }
}

/// Appends a span's bytes to an array.
func append(_ piece: Span<UInt8>, to array: inout [UInt8]) {
  unsafe piece.withUnsafeBytes { unsafe array.append(contentsOf: $0) }
}
