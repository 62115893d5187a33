import Foundation
import Synchronization
import Testing
import VaultDigest
import VaultFault
import VaultFrame
import VaultIO
import VaultRecord

@testable import VaultStore

extension StoreFault {
  /// Sent whole, and never answered.
  fileprivate static let silent = StoreFault(
    Fault(.remoteTimeout, "nothing moved"), .transient(retryAfterSeconds: nil),
    mayHaveHappened: true, mayStillHappen: true)
  fileprivate static let denied = StoreFault(Fault(.remoteDenied, "403"))
}

private let ways: [(part: Int, call: MemoryStore.Call)] = [
  (8 << 20, .putWhole), (1 << 20, .commit),
]

@Test(arguments: ways)
func whatWasNeverAnsweredIsUnknownThoughNothingIsThereYet(
  _ way: (part: Int, call: MemoryStore.Call)
) throws {
  var item = try TestItem(dataBytes: 3 << 20)
  item.partSize = way.part
  let endings: [[MemoryStore.Mishap]] = [
    [.init(call: way.call, fault: .silent, count: 9)],
    [.init(call: way.call, fault: .silent), .init(call: way.call, fault: .flaky, count: 9)],
    [.init(call: way.call, fault: .silent), .init(call: way.call, fault: .denied)],
  ]
  for mishaps in endings {
    let store = MemoryStore(mishaps)
    let run = try PutRun(stream([item]), into: store)
    #expect(run.fault?.status == .tryAgain)
    #expect(try run.only.status == .unknown)
    #expect(try run.only.token?.count == 32)
    #expect(store.count(.abort) == 0)
    if way.call == .commit { #expect(run.fault?.reason.contains("\"u1\"") == true) }
  }
}

@Test func aCommitThatASignalBrokeOffIsLookedForOnceItsUploadIsGone() throws {
  var item = try TestItem(dataBytes: 3 << 20)
  item.partSize = 1 << 20
  let input = try stream([item])
  let directory = try TestDirectory()
  let path = directory.path + "/receipts"
  let held = Mutex<PutEngine?>(nil)
  let store = MemoryStore([.init(call: .commit, fault: .silent)]) { call, _ in
    if call == .prove, let engine = held.withLock({ $0 }) {
      engine.giveUp(Fault(.cancelled, "stopped by signal TERM", signal: 15))
    }
  }
  let engine = PutEngine(
    PutSettings(try Destination("s3://b/{item}")), store: Retry(store, FakeTime().policy),
    receipts: ReceiptOutput(try File.openForAppending(Path(path))))
  held.withLock { $0 = engine }
  let at = Mutex(0)
  let fault = #expect(throws: Fault.self) {
    try engine.run { buffer in
      at.withLock { at in
        let count = min(buffer.count, input.count - at)
        for index in 0..<count { buffer[index] = input[at + index] }
        at += count
        return count
      }
    }
  }
  #expect(fault?.signal == 15)
  let receipts = try linesOfFile(path).map { try Receipt(line: Array($0.utf8)) }
  #expect(receipts.map(\.status) == [.unknown])
  #expect(store.openUploads == 0)
  #expect(store.count(.abort) == 1)
  #expect(store.count(.prove) > store.count(.commit))
}

/// What is known of a request that was not answered.
struct SentTests {
  let client = HttpClient(HttpSettings(patience: 5000))

  func fail(
    _ server: ScriptedServer, _ body: HttpBody, grace: UInt64 = 0, stop: StopFlag = StopFlag()
  ) -> HttpFailure? {
    let request = HttpRequest(
      method: "PUT", url: server.url + "/x", body: body, grace: grace)
    do throws(HttpFailure) {
      _ = try client.send(request, stop: stop)
      return nil
    } catch { return error }
  }

  @Test func onlyAWholeRequestMayStillHappen() throws {
    let server = try ScriptedServer(readsBody: false) { request, end in
      if request.headers["content-length"] == "3" { _ = end.body(request) }
      end.reset()
    }
    let whole = fail(server, .bytes([1, 2, 3]))
    #expect(whole?.mayHaveHappened == true && whole?.mayStillHappen == true)
    let cut = fail(server, .bytes([UInt8](repeating: 0, count: 64 << 20)))
    #expect(cut?.mayHaveHappened == true && cut?.mayStillHappen == false)
  }

  @Test func aRequestOnAKeptConnectionThatDiedIsNotForgotten() throws {
    let listener = Mutex<ScriptedServer?>(nil)
    let count = Mutex(0)
    let server = try ScriptedServer { _, end in
      let number = count.withLock { number in
        number += 1
        return number
      }
      if number == 1 { return end.answer(200) }
      listener.withLock { $0?.stop() }
      Thread.sleep(forTimeInterval: 0.05)
      end.close()
    }
    listener.withLock { $0 = server }
    #expect(fail(server, .bytes([1])) == nil)
    // libcurl sends it again over a connection that is refused.
    let failure = fail(server, .bytes([2]))
    #expect(server.requests.count == 2)
    #expect(failure?.mayHaveHappened == true && failure?.mayStillHappen == true)
  }

  @Test func headersThatAreTooLongComeAfterTheEffect() throws {
    let server = try ScriptedServer { _, end in
      end.answer(200, "", ["X: " + String(repeating: "x", count: 70_000)])
    }
    #expect(fail(server, .bytes([1]))?.mayHaveHappened == true)
  }

  @Test(arguments: [0, 4000])
  func anAnswerThatDecidesIsWaitedForAWhile(_ grace: UInt64) throws {
    let stop = StopFlag()
    let server = try ScriptedServer { _, end in
      stop.raise()
      Thread.sleep(forTimeInterval: 0.5)
      end.answer(200)
    }
    let failure = fail(server, .bytes([1]), grace: grace, stop: stop)
    #expect(failure?.kind == (grace == 0 ? .cancelled : nil))
  }

  @Test func whatWasNotSentWholeIsNotWaitedFor() throws {
    let stop = StopFlag()
    stop.raise()
    let server = try ScriptedServer { _, end in end.answer(200) }
    let failure = fail(server, .bytes([1]), grace: 60_000, stop: stop)
    #expect(failure?.kind == .cancelled)
    #expect(failure?.mayHaveHappened == false)
    #expect(server.requests.isEmpty)
  }
}

@Test(arguments: ["a\r\nX-Evil: 1", "a\u{0}b", "a\u{7f}"])
func noHeaderAddsALineOfItsOwn(_ value: String) throws {
  let server = try ScriptedServer { _, end in end.answer(200) }
  let request = HttpRequest(
    method: "GET", url: server.url + "/x", headers: HttpHeaders([("X-Amz-Security-Token", value)]))
  let failure = #expect(throws: HttpFailure.self) {
    try HttpClient().send(request, stop: StopFlag())
  }
  #expect(failure?.kind == .badConfiguration)
  #expect(server.requests.isEmpty)
}

@Test func afterASignalWhatIsLeftIsSaid() throws {
  var item = try TestItem(dataBytes: 3 << 20)
  item.partSize = 1 << 20
  let input = try stream([item])
  let held = Mutex<PutEngine?>(nil)
  let store = MemoryStore([.init(call: .abort, fault: .denied, count: 9)]) { call, _ in
    if call == .putPart, let engine = held.withLock({ $0 }) {
      engine.giveUp(Fault(.cancelled, "stopped by signal TERM", signal: 15))
    }
  }
  var settings = PutSettings(try Destination("s3://b/{item}"))
  let said = Mutex<[Fault]>([])
  settings.notice = { fault in said.withLock { $0.append(fault) } }
  let engine = PutEngine(
    settings, store: store, receipts: ReceiptOutput(try File.openForAppending("/dev/null")))
  held.withLock { $0 = engine }
  let at = Mutex(0)
  _ = #expect(throws: Fault.self) {
    try engine.run { buffer in
      at.withLock { at in
        let count = min(buffer.count, input.count - at)
        for index in 0..<count { buffer[index] = input[at + index] }
        at += count
        return count
      }
    }
  }
  #expect(said.withLock { $0 }.map { $0.reason.contains("\"u1\"") } == [true])
}
