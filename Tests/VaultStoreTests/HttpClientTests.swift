import Foundation
import Testing
import VaultFault

@testable import VaultStore

/// What the engine makes of the ways in which a server can answer.
struct HttpClientTests {
  let stop = StopFlag()

  func send(
    _ server: ScriptedServer, _ method: String = "GET", _ body: HttpBody = .none,
    _ client: HttpClient = HttpClient(HttpSettings(patience: 10_000)), path: String = "/x"
  ) throws(HttpFailure) -> HttpResponse {
    try client.send(HttpRequest(method: method, url: server.url + path, body: body), stop: stop)
  }

  @Test func h12InterimAnswersAreSkipped() throws {
    let server = try ScriptedServer { _, end in
      end.send("HTTP/1.1 100 Continue\r\nConnection: keep-alive\r\n\r\n")
      end.send("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
      end.answer(200, "yes", ["ETag: \"e\""])
    }
    let answer = try send(server, "PUT", .bytes([1, 2, 3]))
    #expect(answer.status == 200)
    #expect(answer.body == Array("yes".utf8))
    #expect(answer.headers["LINK"] == nil)
    #expect(answer.headers["etag"] == "\"e\"")
  }

  @Test func h11NothingWaitsForContinueAndNothingIsAddedThatWeDidNotSay() throws {
    let server = try ScriptedServer { _, end in end.answer(200) }
    _ = try send(server, "PUT", .bytes([UInt8](repeating: 0, count: 3 << 20)))
    _ = try send(server, "POST", .bytes([]))
    let requests = server.requests
    #expect(requests[0].headers["content-length"] == String(3 << 20))
    #expect(requests[1].headers["content-length"] == "0")
    for request in requests {
      let names = Set(request.headers.keys)
      #expect(names == ["host", "user-agent", "accept-encoding", "content-length"])
      #expect(request.headers["accept-encoding"] == "identity")
    }
  }

  @Test(arguments: [true, false], [403, 503, 301])
  func anEarlyAnswerIsTheAnswer(_ closes: Bool, _ status: Int) throws {
    let server = try ScriptedServer(readsBody: false) { _, end in
      end.answer(status, "<Error/>", closes ? ["Connection: close"] : [])
      if closes { end.close() } else { Thread.sleep(forTimeInterval: 3) }
    }
    let body = HttpBody.bytes([UInt8](repeating: 1, count: 64 << 20))
    let answer = try send(server, "PUT", body)
    #expect(answer.status == status)
  }

  @Test func aShortAnswerIsNone() throws {
    let server = try ScriptedServer { _, end in
      end.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
      end.close()
    }
    let failure = #expect(throws: HttpFailure.self) { try send(server) }
    #expect(failure?.remedy == .transient(retryAfterSeconds: nil))
    #expect(failure?.mayHaveHappened == true)
  }

  @Test func aResetIsTransient() throws {
    let server = try ScriptedServer { _, end in end.reset() }
    let failure = #expect(throws: HttpFailure.self) { try send(server, "PUT", .bytes([1])) }
    #expect(failure?.remedy == .transient(retryAfterSeconds: nil))
    #expect(failure?.mayHaveHappened == true)
  }

  @Test func aRefusedConnectionHasDoneNothing() throws {
    let server = try ScriptedServer { _, _ in }
    server.stop()
    Thread.sleep(forTimeInterval: 0.05)
    let failure = #expect(throws: HttpFailure.self) { try send(server) }
    #expect(failure?.mayHaveHappened == false)
  }

  @Test func aServerThatSaysNothingIsLeft() throws {
    let server = try ScriptedServer { _, _ in Thread.sleep(forTimeInterval: 5) }
    let failure = #expect(throws: HttpFailure.self) {
      try send(server, "GET", .none, HttpClient(HttpSettings(patience: 300)))
    }
    #expect(failure?.kind == .remoteTimeout)
  }

  @Test func slowWhiteSpaceIsNotSilence() throws {
    let server = try ScriptedServer { _, end in
      end.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<6 {
        end.send("1\r\n \r\n")
        Thread.sleep(forTimeInterval: 0.2)
      }
      end.send("3\r\n<a>\r\n4\r\n</a>\r\n0\r\n\r\n")
    }
    let answer = try send(server, "GET", .none, HttpClient(HttpSettings(patience: 700)))
    #expect(XMLElement(document: answer.body)?.name == "a")
  }

  @Test func aRaisedFlagEndsTheWait() throws {
    let server = try ScriptedServer { _, _ in Thread.sleep(forTimeInterval: 5) }
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.1)
      stop.raise()
    }
    let failure = #expect(throws: HttpFailure.self) { try send(server) }
    #expect(failure?.kind == .cancelled)
  }

  @Test func h14AClosedConnectionIsNotAFailure() throws {
    let server = try ScriptedServer { _, end in
      end.answer(200)
      end.close()
    }
    let client = HttpClient()
    for _ in 0..<3 {
      #expect(try send(server, "PUT", .bytes([1]), client).status == 200)
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  @Test func h15ARedirectIsNotFollowed() throws {
    let other = try ScriptedServer { _, end in end.answer(200) }
    let server = try ScriptedServer { [url = other.url] _, end in
      end.answer(307, "", ["Location: \(url)/y"])
    }
    #expect(try send(server).status == 307)
    #expect(other.requests.isEmpty)
  }

  @Test func h30EncodedContentIsLeftAsItIs() throws {
    let server = try ScriptedServer { _, end in
      end.answer(200, "not gzip", ["Content-Encoding: gzip"])
    }
    #expect(try send(server).body == Array("not gzip".utf8))
  }

  @Test func anAnswerIsBounded() throws {
    let server = try ScriptedServer { request, end in
      if request.target == "/head" {
        end.answer(200, "", ["X: " + String(repeating: "x", count: 70_000)])
      } else {
        end.answer(200, String(repeating: "x", count: (1 << 20) + 1))
      }
    }
    for path in ["/head", "/body"] {
      let failure = #expect(throws: HttpFailure.self) { try send(server, path: path) }
      #expect(failure?.kind == .remoteRefused, "\(path)")
    }
  }

  @Test func h09PathsAreSentAsTheyAre() throws {
    let server = try ScriptedServer { _, end in end.answer(200) }
    for path in ["/a/../b", "/./a", "//a", "/..", "/a%20b%2Bc?x=%2F&y"] {
      _ = try send(server, path: path)
      #expect(server.requests.last?.target == path)
    }
  }

  @Test func aSlowSinkIsNotIdle() throws {
    let bytes = String(repeating: "x", count: 8 << 20)
    let server = try ScriptedServer { _, end in end.answer(200, bytes) }
    let client = HttpClient(HttpSettings(patience: 500))
    var got = 0
    _ = try client.exchange(HttpRequest(method: "GET", url: server.url), stop: stop) { _, piece in
      if got == 0 { Thread.sleep(forTimeInterval: 1) }
      got += piece.count
    }
    #expect(got == 8 << 20)
  }
}
