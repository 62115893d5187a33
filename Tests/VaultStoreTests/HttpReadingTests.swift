import Foundation
import Synchronization
import Testing
import VaultFault

@testable import VaultStore

/// Reading an object to its end, whatever the connection does.
struct HttpReadingTests {
  let stop = StopFlag()
  static let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 / 3) }

  func policy() -> RetryPolicy {
    var policy = RetryPolicy(random: { 0 }, now: { 0 }, pause: { _, _ in })
    policy.tries = 3
    return policy
  }

  // Sends at most `cut` bytes of what is asked for, then breaks.
  func breaking(after cut: Int, etag: @escaping @Sendable (Int) -> String = { _ in "\"e\"" }) throws
    -> ScriptedServer
  {
    let count = Mutex(0)
    return try ScriptedServer { request, end in
      let number = count.withLock { number in
        number += 1
        return number
      }
      let range = request.headers["range"]?.dropFirst(6).split(separator: "-").compactMap {
        Int($0)
      }
      let first = range?.first ?? 0
      let last = range.map { $0.count > 1 ? $0[1] : 49_999 } ?? 49_999
      let status = range == nil ? "200 OK" : "206 Partial"
      end.send(
        "HTTP/1.1 \(status)\r\nETag: \(etag(number))\r\nContent-Length: \(last - first + 1)\r\n"
          + (range == nil ? "" : "Content-Range: bytes \(first)-\(last)/50000\r\n") + "\r\n")
      end.send(Array(Self.bytes[first...min(last, first + cut - 1)]))
      if last - first + 1 > cut { end.close() }
    }
  }

  func read(_ server: ScriptedServer, _ wish: ByteWish = .from(0)) throws -> [UInt8] {
    var got: [UInt8] = []
    let source = try URLSource(server.url + "/x?sig=secret", S3Settings(region: "r"))
    _ = try ContinuedRead(source, policy()).read(wish, stop: stop) { _, piece in
      append(piece, to: &got)
    }
    return got
  }

  @Test func aBrokenReadGoesOnWhereItStoppedAndIsPinned() throws {
    let server = try breaking(after: 7_000)
    #expect(try read(server) == Self.bytes)
    #expect(server.requests.count == 8)
    #expect(server.requests[0].headers["if-match"] == nil)
    #expect(server.requests.dropFirst().allSatisfy { $0.headers["if-match"] == "\"e\"" })
    let range = try breaking(after: 400)
    #expect(try read(range, .closed(10, 1009)) == Array(Self.bytes[10...1009]))
    #expect(
      range.requests.map { $0.headers["range"] } == [
        "bytes=10-1009", "bytes=410-1009", "bytes=810-1009",
      ])
  }

  @Test func aChangedObjectIsAnError() throws {
    let server = try breaking(after: 7_000, etag: { "\"\($0)\"" })
    let error = #expect(throws: StoreFault.self) { try read(server) }
    #expect(error?.fault.kind == .objectChanged)
  }

  @Test func aServerThatIgnoresRangesIsHandled() throws {
    let server = try ScriptedServer { _, end in
      end.send("HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n")
      end.send(Self.bytes)
    }
    #expect(try read(server, .closed(100, 199)) == Array(Self.bytes[100...199]))
    #expect(try read(server, .suffix(7)) == Array(Self.bytes.suffix(7)))
    #expect(try read(server, .from(49_000)) == Array(Self.bytes[49_000...]))
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc",
    "HTTP/1.1 206 P\r\nContent-Length: 3\r\n\r\nabc",
    "HTTP/1.1 206 P\r\nContent-Length: 3\r\nContent-Range: bytes 5-7/9\r\n\r\nabc",
    "HTTP/1.1 206 P\r\nContent-Length: 3\r\nContent-Range: bytes 0-3/9\r\n\r\nabc",
    "HTTP/1.1 206 P\r\nContent-Length: 3\r\nContent-Range: bytes 0-2/*\r\n\r\nabc",
    "HTTP/1.1 206 P\r\nContent-Length: 3\r\nContent-Range: bytes 0-2/2\r\n\r\nabc",
    "HTTP/1.1 204 N\r\n\r\n",
  ])
  func anAnswerThatPromisesSomethingElseIsRefused(_ answer: String) throws {
    let server = try ScriptedServer { _, end in
      end.send(answer)
      end.close()
    }
    let error = #expect(throws: StoreFault.self) { try read(server, .closed(0, 8)) }
    #expect(error?.fault.reason.contains("secret") == false)
  }

  @Test func aSinkThatFailsSpeaksForItself() throws {
    let server = try breaking(after: 100_000)
    let source = try URLSource(server.url, S3Settings(region: "r"))
    let error = #expect(throws: StoreFault.self) {
      try ContinuedRead(source, policy()).read(.from(0), stop: stop) { _, _ throws(Fault) in
        throw Fault(.writeFailed, "no room")
      }
    }
    #expect(error?.fault.reason == "no room")
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    "", "ftp://h/x", "http://u:secret@h/x", "https://", "http://h/ x", "http://h/\nx", "/x",
  ])
  func aBadURLIsRefusedUnseen(_ url: String) {
    let fault = #expect(throws: Fault.self) { try URLSource(url, S3Settings(region: "r")) }
    #expect(fault?.reason.contains("secret") == false)
  }
}
