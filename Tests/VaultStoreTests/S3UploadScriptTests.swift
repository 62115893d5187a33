import Foundation
import Synchronization
import Testing
import VaultFault

@testable import VaultStore

/// The end of a multipart upload, and its listing, by script.
struct S3UploadScriptTests {
  let stop = StopFlag()
  let base = S3ScriptTests()
  let upload = UploadName(object: ObjectName(key: "k", shown: "s3://bucket/k"), id: "u+/=&")
  let parts = [PartReceipt(number: 1, size: 3, etag: "\"a&b\"", sha256: nil)]

  func commit(_ status: Int, _ body: String) throws -> CommitAnswer {
    let server = try ScriptedServer { request, end in
      if request.method == "HEAD" { return end.answer(404) }
      end.answer(status, body)
    }
    return try base.store(server).commit(upload, parts, base.hints, stop: stop)
  }

  @Test func m05OnlyTheExpectedElementIsSuccess() throws {
    let good =
      "\n \n<?xml version=\"1.0\"?><CompleteMultipartUploadResult><ETag>&quot;e-1&quot;"
      + "</ETag></CompleteMultipartUploadResult>"
    guard case .stored(let landed, .checked) = try commit(200, good) else {
      Issue.record("not stored")
      return
    }
    #expect(landed.etag == "\"e-1\"")
    for bad in [
      "", "<a/>", "<CompleteMultipartUploadResult/>", "<CompleteMultipartUploadResult><ETag>x",
      "<Error><Code>InternalError</Code></Error>", "<Error><Code>SlowDown</Code></Error>",
    ] {
      let error = #expect(throws: StoreFault.self) { try commit(200, bad) }
      #expect(error?.mayHaveHappened == true, "\(bad)")
      #expect(error?.remedy == .transient(retryAfterSeconds: nil), "\(bad)")
    }
    let refused = #expect(throws: StoreFault.self) {
      try commit(200, "<Error><Code>InvalidPart</Code></Error>")
    }
    #expect(refused?.fault.status != .success)
  }

  @Test(arguments: [
    (404, "NoSuchUpload"), (500, "InternalError"), (503, ""), (409, "ConditionalRequestConflict"),
  ])
  func m07WhatLeavesDoubtSaysSo(_ status: Int, _ code: String) throws {
    let error = #expect(throws: StoreFault.self) {
      try commit(status, "<Error><Code>\(code)</Code></Error>")
    }
    #expect(error?.mayHaveHappened == true)
    #expect(error?.fault.status == .tryAgain)
  }

  @Test func aPartWithoutItsDigestIsNotSent() throws {
    let server = try ScriptedServer { _, end in end.answer(200) }
    let store = try base.store(server)
    let bare = PartData(number: 1, offset: 0, bytes: ArrayBytes([1]), sha256: nil)
    let one = #expect(throws: StoreFault.self) {
      try store.putWhole(bare, at: upload.object, base.hints, stop: stop)
    }
    let more = #expect(throws: StoreFault.self) {
      try store.putPart(bare, of: upload, base.hints, stop: stop)
    }
    for error in [one, more] { #expect(error?.fault.kind == .internalFault) }
    #expect(server.requests.isEmpty)
  }

  @Test func m11m15AllPartsInOrderOrNothingIsSent() throws {
    let server = try ScriptedServer { request, end in
      if request.method == "HEAD" { return end.answer(404) }
      let isRight =
        request.text.contains("<ETag>&quot;a&amp;b&quot;</ETag>")
        && request.query["uploadId"] == "u%2B%2F%3D%26"
      let result = "<CompleteMultipartUploadResult><ETag>e</ETag></CompleteMultipartUploadResult>"
      end.answer(isRight ? 200 : 400, isRight ? result : "")
    }
    let store = try base.store(server)
    let second = PartReceipt(number: 2, size: 3, etag: "b", sha256: nil)
    for wrong in [[], [second], [second, parts[0]]] {
      #expect(throws: StoreFault.self) {
        try store.commit(upload, wrong, base.hints, stop: stop)
      }
    }
    #expect(server.requests.isEmpty)
    guard case .stored = try store.commit(upload, parts + [second], base.hints, stop: stop) else {
      Issue.record("not stored")
      return
    }
  }

  func page(_ numbers: [Int], next: Int?) -> String {
    let parts = numbers.map {
      "<Part><PartNumber>\($0)</PartNumber><ETag>\"\($0)\"</ETag><Size>5</Size></Part>"
    }
    let more = next.map {
      "<IsTruncated>true</IsTruncated><NextPartNumberMarker>\($0)</NextPartNumberMarker>"
    }
    return "<ListPartsResult>\(more ?? "")\(parts.joined())</ListPartsResult>"
  }

  @Test func m17AllPagesAreRead() throws {
    let server = try ScriptedServer { request, end in
      let after = Int(request.query["part-number-marker"] ?? "0") ?? 0
      let numbers = Array((after + 1...5).prefix(2))
      let last = numbers.last ?? 5
      end.answer(200, page(numbers, next: last < 5 ? last : nil))
    }
    let listed = try base.store(server).listParts(upload, stop: stop)
    #expect(listed.map(\.number) == [1, 2, 3, 4, 5])
    #expect(server.requests.count == 3)
  }

  @Test func m19AListingWithoutEndIsAnError() throws {
    let count = Mutex(0)
    let server = try ScriptedServer { _, end in
      let number = count.withLock { number in
        number += 1
        return number
      }
      end.answer(200, page([1, 2, 3], next: number))
    }
    let error = #expect(throws: StoreFault.self) {
      try base.store(server).listParts(upload, stop: stop)
    }
    #expect(error?.fault.kind == .remoteFailed)
    #expect(server.requests.count == 2)
  }

  @Test func m09AnAbortIsOverWhenTheListingSaysSo() throws {
    let lists = Mutex(0)
    let server = try ScriptedServer { request, end in
      if request.method == "DELETE" { return end.answer(204) }
      let number = lists.withLock { number in
        number += 1
        return number
      }
      number < 3
        ? end.answer(200, page([1], next: nil))
        : end.answer(404, "<Error><Code>NoSuchUpload</Code></Error>")
    }
    let store = try base.store(server)
    for _ in 0..<2 {
      let error = #expect(throws: StoreFault.self) { try store.abort(upload, stop: stop) }
      #expect(error?.remedy == .transient(retryAfterSeconds: nil))
      #expect(error?.fault.hint?.contains("--upload-id 'u+/=&'") == true)
    }
    try store.abort(upload, stop: stop)
  }

  @Test func anAbortWithoutTheRightToListIsTheServersWord() throws {
    let server = try ScriptedServer { request, end in
      end.answer(request.method == "DELETE" ? 204 : 403)
    }
    try base.store(server).abort(upload, stop: stop)
  }

  @Test func aPartWithoutATagIsNotStored() throws {
    let server = try ScriptedServer { _, end in end.answer(200) }
    let error = #expect(throws: StoreFault.self) {
      try base.store(server).putPart(testPart(1, [1]), of: upload, base.hints, stop: stop)
    }
    #expect(error?.remedy == .transient(retryAfterSeconds: nil))
  }

  @Test func writeOnlyCredentialsCannotTell() throws {
    let server = try ScriptedServer { _, end in end.answer(403) }
    let proof = try base.store(server).prove(base.name, base.hints, size: 3, stop: stop)
    guard case .cannotTell = proof else {
      Issue.record("\(proof)")
      return
    }
  }
}
