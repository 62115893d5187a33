import Foundation
import Glibc
import Synchronization

/// A request as it came over the wire.
struct WireRequest: Sendable {
  var method = ""
  var target = ""
  var headers: [String: String] = [:]
  var body: [UInt8] = []

  /// The query's items, still encoded.
  var query: [String: String] {
    let text = target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    var items: [String: String] = [:]
    for item in text.split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      items[String(pair[0])] = pair.count > 1 ? String(pair[1]) : ""
    }
    return items
  }

  var text: String { String(decoding: body, as: UTF8.self) }
}

/// The server's end of a connection.
final class WireEnd: Sendable {
  private let descriptor: Int32
  private let pending = Mutex<[UInt8]>([])

  private let isOpen = Atomic<Bool>(true)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close() }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  /// An answer with a length.
  func answer(_ status: Int, _ body: String = "", _ headers: [String] = []) {
    let lines = ["HTTP/1.1 \(status) X", "Content-Length: \(body.utf8.count)"] + headers
    send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }

  /// After this the descriptor's number may be another connection's.
  func close() {
    let wasOpen = isOpen.exchange(false, ordering: .acquiringAndReleasing)
    if wasOpen { _ = Glibc.close(descriptor) }
  }

  /// Closes so that the other end gets a reset.
  func reset() {
    var off = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &off, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  private func more() -> Bool {
    guard isOpen.load(ordering: .acquiring) else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    pending.withLock { $0 += buffer.prefix(count) }
    return true
  }

  /// Reads a head; nil at the connection's end.
  func head() -> WireRequest? {
    while true {
      let head = pending.withLock { bytes -> [UInt8]? in
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        defer { bytes.removeFirst(end.upperBound) }
        return Array(bytes[..<end.lowerBound])
      }
      if let head { return parse(head) }
      if !more() { return nil }
    }
  }

  private func parse(_ head: [UInt8]) -> WireRequest {
    var lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines.removeFirst().split(separator: " ")
    var request = WireRequest(method: String(words[0]), target: String(words[1]))
    for line in lines {
      let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair[1].trimmingCharacters(in: .whitespaces)
      request.headers[pair[0].lowercased()] = value
    }
    return request
  }

  /// Reads the body that the head promises.
  func body(_ request: WireRequest) -> [UInt8] {
    let wanted = Int(request.headers["content-length"] ?? "0") ?? 0
    while pending.withLock({ $0.count }) < wanted { if !more() { return [] } }
    return pending.withLock { bytes in
      defer { bytes.removeFirst(wanted) }
      return Array(bytes.prefix(wanted))
    }
  }
}

/// An HTTP server on loopback that does what a test says, one thread a connection.
final class ScriptedServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let seen = Mutex<[WireRequest]>([])

  /// Every request so far.
  var requests: [WireRequest] { seen.withLock { $0 } }
  var url: String { "http://127.0.0.1:\(port)" }

  /// `script` gets each request, with its body or with a body that it reads itself, or not.
  init(
    readsBody: Bool = true, _ script: @escaping @Sendable (WireRequest, WireEnd) -> Void
  ) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = self.listener
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard bound else { throw POSIXError(.EADDRINUSE) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        Thread.detachNewThread { [self] in serve(WireEnd(descriptor), readsBody, script) }
      }
    }
  }

  private func serve(
    _ end: WireEnd, _ readsBody: Bool, _ script: (WireRequest, WireEnd) -> Void
  ) {
    while var request = end.head() {
      if readsBody { request.body = end.body(request) }
      seen.withLock { $0.append(request) }
      script(request, end)
    }
  }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
}
