internal import CCurl
internal import VaultFault

/// One connection's worth of libcurl: the only file that talks to it (through CCurl).
///
/// Used by one thread at a time; ``HttpClient`` lends it.
@safe final class Wire: @unchecked Sendable {
  private let handle: OpaquePointer

  private static let isReady: Bool = vault_wire_global() == 0

  init() throws(HttpFailure) {
    guard Self.isReady, let made = unsafe vault_wire_new() else { throw .internal }
    unsafe handle = made
  }

  deinit { unsafe vault_wire_free(handle) }

  /// Sets everything up for `request`; ends an exchange that was left open.
  func prepare(_ request: HttpRequest, caFile: String?, connectMilliseconds: Int)
    throws(HttpFailure)
  {
    var bad = unsafe vault_wire_prepare(handle, request.method, request.url)
    for (name, value) in request.headers.fields {
      // Credentials, tokens and tags come from elsewhere: none may add a line of its own.
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
        throw HttpFailure(
          kind: .badConfiguration,
          reason: "the header \(quoted(name)) would have a control character")
      }
      // An empty value needs a semicolon, a colon alone would take the header away.
      bad |= unsafe vault_wire_header(handle, value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    for unwanted in ["Accept:", "Expect:"] where request.headers[String(unwanted.dropLast())] == nil
    {
      bad |= unsafe vault_wire_header(handle, unwanted)
    }
    if let caFile { bad |= unsafe vault_wire_ca_file(handle, caFile) }
    if request.bypassesProxy { bad |= unsafe vault_wire_no_proxy(handle) }
    bad |= unsafe vault_wire_connect_timeout(handle, connectMilliseconds)
    if let source = request.body.source {
      bad |= unsafe vault_wire_body_length(handle, Int64(clamping: source.size))
    }
    guard bad == 0, unsafe vault_wire_start(handle) == 0 else { throw .internal }
  }

  /// Moves what can be moved now; true when the exchange is over.
  func move() -> Bool { unsafe vault_wire_move(handle) != 0 }

  /// Waits for the network; returns the milliseconds that it took.
  func wait(milliseconds: Int) -> Int {
    Int(unsafe vault_wire_wait(handle, Int32(clamping: milliseconds)))
  }

  func finish() { unsafe vault_wire_finish(handle) }

  /// Puts more of the request's body in, where there is room.
  func feed(_ source: any PartBytes) throws(HttpFailure) {
    var room = 0
    var offset: Int64 = 0
    while let start = unsafe vault_wire_room(handle, &room, &offset) {
      var span = unsafe MutableSpan(_unsafeStart: start, count: room)
      let count: Int
      do { count = try source.read(at: UInt64(offset), into: &span) } catch { throw .local(error) }
      guard count > 0 else {
        throw .local(Fault(.readFailed, "a part buffer is shorter than it was"))
      }
      unsafe vault_wire_filled(handle, count)
    }
  }

  /// Gives the bytes of the answer's body that have come, and makes room for more.
  func drain<Problem: Error>(
    _ body: (Span<UInt8>) throws(Problem) -> Void
  ) throws(Problem) {
    var count = 0
    guard let start = unsafe vault_wire_answer(handle, &count), count > 0 else { return }
    try body(unsafe Span(_unsafeStart: start, count: count))
    unsafe vault_wire_taken(handle)
  }
}

extension Wire {
  /// Bytes moved both ways so far.
  var moved: Int64 { unsafe vault_wire_moved(handle) }

  /// Whether any of the request went out, be it over a connection that then was dead.
  var hasSent: Bool { unsafe vault_wire_sent(handle) != 0 }

  /// Whether all of it did: without an answer, the remote may still be at work on it.
  var hasSentAll: Bool { unsafe vault_wire_sent_all(handle) != 0 }

  /// The status of a final answer, once its head is complete.
  var status: Int? {
    let status = Int(unsafe vault_wire_status(handle))
    return status == 0 ? nil : status
  }

  /// The answer came before the request's body had been sent.
  var answeredEarly: Bool {
    guard let status, status >= 300 else { return false }
    return unsafe vault_wire_unsent(handle) != 0
  }

  var head: HttpHeaders {
    var count = 0
    guard let start = unsafe vault_wire_head(handle, &count) else { return HttpHeaders() }
    return HttpHeaders(head: unsafe Span(_unsafeStart: start, count: count))
  }

  /// Why the exchange ended; nil: it ended well.
  var failure: HttpFailure? {
    let code = unsafe vault_wire_result(handle)
    guard code != CURLE_OK else { return nil }
    if unsafe vault_wire_head_too_long(handle) != 0 {
      return HttpFailure(kind: .remoteRefused, reason: "the answer's headers are too long")
    }
    return described(code)
  }

  private func described(_ code: CURLcode) -> HttpFailure {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: return .transient("the host's name is not known")
    case CURLE_COULDNT_RESOLVE_PROXY:
      return .transient("the proxy's name is not known")
    case CURLE_COULDNT_CONNECT: return .transient(systemReason ?? "cannot connect")
    case CURLE_OPERATION_TIMEDOUT:
      return .transient("the connection took too long", .remoteTimeout)
    case CURLE_PARTIAL_FILE: return .transient("the answer ended early")
    case CURLE_GOT_NOTHING: return .transient("the connection was closed without an answer")
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
      return .transient(systemReason ?? "the connection broke")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM:
      return HttpFailure(
        kind: .badConfiguration, reason: certificateReason,
        hint: "AWS_CA_BUNDLE names the file of the authorities to trust")
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
      return HttpFailure(kind: .badConfiguration, reason: "the URL is not a good http or https one")
    case CURLE_OUT_OF_MEMORY:
      return HttpFailure(kind: .internalFault, reason: "out of memory")
    default: return .transient(plainReason(code))
    }
  }

  private var systemReason: String? {
    let number = unsafe vault_wire_os_errno(handle)
    guard number != 0 else { return nil }
    var text = [CChar](repeating: 0, count: 128)
    guard unsafe vault_wire_strerror(number, &text, text.count) == 0 else { return nil }
    return asciiLowercased(untilZero(text))
  }

  // libcurl's own words for a certificate name the host and the fault, and nothing of the request.
  private var certificateReason: String {
    guard let text = unsafe vault_wire_error_text(handle) else { return "bad certificate" }
    let said = unsafe String(cString: text)
    return said.isEmpty ? "the certificate is not trusted" : quoted(said)
  }

  private func plainReason(_ code: CURLcode) -> String {
    guard let text = unsafe curl_easy_strerror(code) else { return "the connection broke" }
    return asciiLowercased(unsafe String(cString: text))
  }
}

private func untilZero(_ text: [CChar]) -> String {
  String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
