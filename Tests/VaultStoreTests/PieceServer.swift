import Foundation
import Synchronization
import VaultFault

@testable import VaultStore

/// An object behind a scripted server that keeps to ranges, unless a test says otherwise.
final class PieceServer: Sendable {
  static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7 ^ $0) }
  let server: ScriptedServer

  /// How one request is answered; a script sees which one it is by its first byte.
  struct Answer: Sendable {
    var status = 206
    var etag: String? = "\"e\""
    var range: String?
    /// So many bytes go out, then the connection ends.
    var cut = Int.max
    var size = PieceServer.bytes.count
    var delay: UInt32 = 0
  }

  init(_ script: @escaping @Sendable (_ first: Int, _ number: Int) -> Answer = { _, _ in Answer() })
    throws
  {
    let count = Mutex(0)
    server = try ScriptedServer { request, end in
      let number = count.withLock { count in
        count += 1
        return count
      }
      let ends = (request.headers["range"] ?? "bytes=0-").dropFirst(6).split(separator: "-")
      let first = Int(ends[0])!
      var answer = script(first, number)
      if request.headers["range"] == nil { answer.status = 200 }
      PieceServer.send(answer, first, ends.count > 1 ? Int(ends[1])! : .max - 1, end)
    }
  }

  private static func send(_ answer: Answer, _ first: Int, _ last: Int, _ end: WireEnd) {
    if answer.delay > 0 { usleep(answer.delay) }
    let isPart = answer.status == 206
    let range = isPart ? first..<min(last + 1, answer.size) : 0..<answer.size
    guard answer.status < 300 else { return end.answer(answer.status) }
    var head = ["HTTP/1.1 \(answer.status) X", "Content-Length: \(range.count)"]
    if let etag = answer.etag { head.append("ETag: \(etag)") }
    let said = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(answer.size)"
    if isPart { head.append("Content-Range: \(answer.range ?? said)") }
    end.send(head.joined(separator: "\r\n") + "\r\n\r\n")
    end.send(Array(bytes[range.prefix(answer.cut)]))
    if range.count > answer.cut { end.close() }
  }

  var ranges: [String?] { server.requests.map { $0.headers["range"] } }
}

extension PieceServer {
  /// Reads it: 10,000 bytes at first, then pieces of 4,000.
  func read(
    lanes: Int = 3, stop: StopFlag = StopFlag(), opening: UInt64 = 10_000,
    _ sink: (ObjectHead, Span<UInt8>) throws(Fault) -> Void = { _, _ in }
  ) throws -> (bytes: [UInt8], fault: Fault?, head: ObjectHead?) {
    var policy = RetryPolicy(random: { 0 }, now: { 0 }, pause: { _, _ in })
    policy.tries = 3
    let source = try URLSource(server.url + "/x?sig=secret", S3Settings(region: "r"))
    var whole = WholeRead(source, policy, lanes: lanes, stop)
    whole.openingBytes = opening
    whole.pieceBytes = 4_000
    var got: [UInt8] = []
    do throws(StoreFault) {
      let head = try whole.read(pin: nil) { head, piece throws(Fault) in
        try sink(head, piece)
        append(piece, to: &got)
      }
      return (got, nil, head)
    } catch { return (got, error.fault, nil) }
  }
}
