import Foundation
import Synchronization
import Testing
import VaultFault

@testable import VaultStore

/// What the store makes of refusals, one by one; the requests are counted.
struct S3ScriptTests {
  let stop = StopFlag()
  let name = ObjectName(key: "k", shown: "s3://bucket/k")
  let hints = ObjectHints(item: "item", token: "token")

  func store(
    _ server: ScriptedServer, _ more: [String: String] = [:],
    now: @escaping @Sendable () -> Instant = { .now }
  ) throws -> S3Store {
    var settings = S3Settings(region: "us-east-1")
    settings.endpoint = server.url
    settings.patience = 5000
    var surroundings = TestServer.surroundings(more)
    surroundings.now = now
    return try S3Store(bucket: "bucket", settings, surroundings)
  }

  func put(_ store: S3Store, _ hints: ObjectHints? = nil) throws(StoreFault) -> CommitAnswer {
    let part = try permanently { () throws(Fault) in
      do { return try testPart(1, [1, 2, 3]) } catch { throw Fault(.internalFault, "\(error)") }
    }
    return try store.putWhole(part, at: name, hints ?? self.hints, stop: stop)
  }

  // What "\u{1}\u{2}\u{3}" hashes to, and what is near it.
  @Test(arguments: [
    ("A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc+4E=", true), ("", false),
    ("A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc+4E", false),
    ("A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc+4E=-1", false),
    ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", false),
  ])
  func anAnswerRepeatsTheDigestOnlyToTheLetter(_ sum: String, _ repeats: Bool) throws {
    let server = try ScriptedServer { request, end in
      let isHead = request.method == "HEAD"
      end.answer(isHead ? 404 : 200, "", sum.isEmpty ? [] : ["x-amz-checksum-sha256: \(sum)"])
    }
    guard case .stored(let landed, _) = try put(store(server)) else {
      Issue.record("not stored")
      return
    }
    #expect(landed.repeatsDigest == repeats)
  }

  func refusal(_ status: Int, _ code: String, _ more: [String] = []) throws -> StoreFault {
    let server = try ScriptedServer { request, end in
      let isHead = request.method == "HEAD"
      end.answer(isHead ? 404 : status, isHead ? "" : "<Error><Code>\(code)</Code></Error>", more)
    }
    let error = #expect(throws: StoreFault.self) { try put(store(server)) }
    return try #require(error)
  }

  @Test(arguments: [
    (500, "InternalError"), (503, "SlowDown"), (503, ""), (429, "TooManyRequests"),
    (400, "RequestTimeout"), (502, "<html>"), (504, ""), (409, "OperationAborted"),
    (400, "BadDigest"), (409, "ConditionalRequestConflict"),
  ])
  func h01WhatMayPassIsTransient(_ status: Int, _ code: String) throws {
    let error = try refusal(status, code, ["Retry-After: 7"])
    #expect(error.remedy == .transient(retryAfterSeconds: 7))
    #expect(error.fault.status == .tryAgain)
  }

  @Test(arguments: [
    (403, "AccessDenied", FaultKind.remoteDenied), (401, "", .remoteDenied),
    (404, "NoSuchBucket", .remoteRefused), (400, "EntityTooLarge", .remoteRefused),
    (501, "NotImplemented", .remoteRefused), (405, "MethodNotAllowed", .remoteRefused),
    (507, "XMinioStorageFull", .storageFull), (507, "", .storageFull),
    (503, "XMinioStorageFull", .storageFull), (403, "QuotaExceeded", .storageFull),
  ])
  func h31WhatStaysIsPermanent(_ status: Int, _ code: String, _ kind: FaultKind) throws {
    let error = try refusal(status, code)
    #expect(error.remedy == .permanent)
    #expect(error.fault.kind == kind)
  }

  @Test func nothingThatAServerEchoesIsShown() throws {
    let server = try ScriptedServer { request, end in
      let secrets = request.headers["authorization"] ?? ""
      end.answer(400, "<Error><Code>\(secrets)</Code><Message>\(secrets)</Message></Error>")
    }
    let error = #expect(throws: StoreFault.self) { try put(store(server)) }
    #expect(error?.fault.reason.contains("Signature=") == false)
  }

  @Test func aTakenNameIsAnAnswer() throws {
    let server = try ScriptedServer { request, end in
      end.answer(request.method == "HEAD" ? 404 : 412)
    }
    guard case .exists = try put(store(server)) else {
      Issue.record("not exists")
      return
    }
    #expect(server.requests.last?.headers["if-none-match"] == "*")
  }

  @Test(arguments: [("SeaweedFS 4", Creation.conditional, 2), ("x", .checked, 3)])
  func conditionalIsOnlyClaimedOfServersThatAreKnownToBe(
    _ name: String, _ claim: Creation, _ requests: Int
  ) throws {
    let server = try ScriptedServer { request, end in
      end.answer(request.method == "HEAD" ? 404 : 200, "", ["ETag: \"e\"", "Server: \(name)"])
    }
    let store = try store(server)
    guard case .stored(_, nil) = try put(store, ObjectHints(item: "i", token: "t", overwrite: true))
    else {
      Issue.record("not stored")
      return
    }
    #expect(server.requests.count == 1)
    #expect(server.requests[0].headers["if-none-match"] == nil)
    let answer = try put(store)
    guard case .stored(_, let claimed) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(claimed == claim)
    #expect(server.requests.count == requests)
  }

  @Test func h15h16TheRegionIsLearntAndTheHostStays() throws {
    let server = try ScriptedServer { request, end in
      let scope = request.headers["authorization"] ?? ""
      guard scope.contains("/eu-north-1/s3/") else {
        let body =
          "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-north-1</Region></Error>"
        return end.answer(
          400, request.method == "HEAD" ? "" : body,
          [
            "x-amz-bucket-region: eu-north-1", "Location: http://evil.example/",
          ])
      }
      end.answer(request.method == "HEAD" ? 404 : 200, "", ["ETag: e"])
    }
    let store = try store(server)
    let error = #expect(throws: StoreFault.self) { try put(store) }
    #expect(error?.remedy == .redirected)
    guard case .stored = try put(store) else {
      Issue.record("not stored")
      return
    }
  }

  @Test func h16ARegionThatKeepsMovingEnds() throws {
    let count = Mutex(0)
    let server = try ScriptedServer { _, end in
      let number = count.withLock { number in
        number += 1
        return number
      }
      end.answer(301, "", ["x-amz-bucket-region: r-\(number)"])
    }
    let store = try store(server)
    for _ in 0..<2 {
      #expect(#expect(throws: StoreFault.self) { try put(store) }?.remedy == .redirected)
    }
    let error = #expect(throws: StoreFault.self) { try put(store) }
    #expect(error?.remedy == .permanent)
    #expect(error?.fault.kind == .wrongRegion)
    #expect(error?.fault.reason.contains("\"r-3\"") == true)
    #expect(error?.fault.reason.contains("\"r-2\"") == true)
  }

  @Test func h03EachTryIsSignedForItsOwnMoment() throws {
    let server = try ScriptedServer { _, end in end.answer(503) }
    let time = Mutex(Int64(1_440_938_160))
    let store = try store(server, now: { Instant(seconds: time.withLock { $0 }) })
    for _ in 0..<2 {
      #expect(throws: StoreFault.self) { try put(store) }
      time.withLock { $0 += 960 }
    }
    #expect(
      server.requests.map { $0.headers["x-amz-date"] } == ["20150830T123600Z", "20150830T125200Z"])
  }

  @Test func h23CredentialsThatExpiredAreReadAgain() throws {
    let key = Mutex("old")
    let server = try ScriptedServer { request, end in
      if request.method == "HEAD" { return end.answer(404) }
      let isNew = request.headers["authorization"]?.contains("Credential=new/") == true
      isNew ? end.answer(200) : end.answer(400, "<Error><Code>ExpiredToken</Code></Error>")
    }
    var settings = S3Settings(region: "us-east-1")
    settings.endpoint = server.url
    let surroundings = Surroundings(
      variable: { $0 == "HOME" ? "/home/x" : nil },
      file: { path in
        guard path == "/home/x/.aws/credentials" else { return nil }
        let id = key.withLock { $0 }
        return Array("[default]\naws_access_key_id=\(id)\naws_secret_access_key=s\n".utf8)
      }, now: { .now })
    let store = try S3Store(bucket: "bucket", settings, surroundings)
    let still = #expect(throws: StoreFault.self) { try put(store) }
    #expect(still?.remedy == .permanent)
    key.withLock { $0 = "new" }
    let error = #expect(throws: StoreFault.self) { try put(store) }
    #expect(error?.remedy == .refreshed)
    guard case .stored = try put(store) else {
      Issue.record("not stored")
      return
    }
  }

  @Test func h21h22BodiesHaveALengthADigestAndAChecksum() throws {
    let server = try ScriptedServer { request, end in
      end.answer(request.method == "HEAD" ? 404 : 200)
    }
    let store = try store(server)
    for choice in ChecksumChoice.allCases {
      _ = try put(store, ObjectHints(item: "i", token: "t", overwrite: true, checksum: choice))
    }
    let digest = "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81"
    for request in server.requests {
      #expect(request.headers["content-length"] == "3")
      #expect(request.headers["x-amz-content-sha256"] == digest)
      #expect(request.headers["transfer-encoding"] == nil)
      #expect(request.headers["x-amz-meta-vault-token"] == "t")
      #expect(request.headers["x-amz-meta-vault-item"] == "i")
    }
    let sums = server.requests.map {
      ($0.headers["x-amz-checksum-sha256"], $0.headers["content-md5"])
    }
    #expect(sums[0].0 == "A5BYxvLAy0ksUzsKTRTvd8wPeKvMztUofYShogEc+4E=")
    #expect(sums[1].1 == "Uonfc331cyb83SJZevsfrA==")
    #expect(sums[2].0 == nil && sums[2].1 == nil)
  }
}
