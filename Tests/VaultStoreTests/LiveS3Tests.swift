import Foundation
import Synchronization
import Testing
import VaultDigest
import VaultFault
import VaultText

@testable import VaultStore

/// A real server that runs already: `VAULT_TEST_S3` is its endpoint.
enum TestServer {
  static let endpoint = ProcessInfo.processInfo.environment["VAULT_TEST_S3"]
  static let secureEndpoint = ProcessInfo.processInfo.environment["VAULT_TEST_S3_TLS"]
  static let authority = ProcessInfo.processInfo.environment["VAULT_TEST_S3_CA"]
  static let bucket =
    ProcessInfo.processInfo.environment["VAULT_TEST_BUCKET"] ?? "vault-store-tests"

  static func surroundings(
    key: String = "testkey", secret: String = "testsecretkey0123456789",
    _ more: [String: String] = [:]
  ) -> Surroundings {
    let fixed = ["AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret]
    let all = fixed.merging(more) { $1 }
    return Surroundings(variable: { all[$0] }, file: { _ in nil }, now: { .now })
  }

  static func store(
    _ surroundings: Surroundings = surroundings(), _ change: (inout S3Settings) -> Void = { _ in }
  ) throws -> S3Store {
    var settings = S3Settings(region: "us-east-1")
    settings.endpoint = endpoint
    change(&settings)
    let store = try S3Store(bucket: bucket, settings, surroundings)
    try makeBucket()
    return store
  }

  // Made once; a second time answers 409 or 200.
  private static func makeBucket() throws {
    var settings = S3Settings(region: "us-east-1")
    settings.endpoint = endpoint
    let store = try S3Store(bucket: bucket, settings, surroundings())
    _ = try? store.session.send(
      S3Request(method: "PUT", body: .bytes([]), attempt: "cannot make the bucket"),
      stop: StopFlag())
  }

  static func fresh() -> ObjectName {
    let key = UUID().uuidString
    return ObjectName(key: key, shown: "s3://\(bucket)/\(key)")
  }

  static func contents(_ store: S3Store, _ name: ObjectName) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    do throws(StoreFault) {
      _ = try S3Source(store, name).fetch(.from(0), pin: nil, stop: StopFlag()) { _, piece in
        append(piece, to: &bytes)
      }
    } catch {
      guard error.fault.kind == .missingObject else { throw error }
      return nil
    }
    return bytes
  }
}

@Suite(.enabled(if: TestServer.endpoint != nil, "skipped: VAULT_TEST_S3 is not set"), .serialized)
struct LiveS3Tests {
  let stop = StopFlag()

  @Test func aBucketKeepsTheContract() throws {
    let store = try TestServer.store()
    try Conformance(store, partSize: 5 << 20) {
      TestServer.fresh()
    } contents: {
      try TestServer.contents(store, $0)
    }.check()
    print("server: \(store.session.server)")
  }

  @Test(arguments: [
    "/a", "//a", "a//b", "a/", "a/../b", "./a", "..", "a/./b", "/", "C++ notes.txt", "a+b", "a%2Bb",
    "a b", "a%20b", "a=b&c", "~*()!", "Net & Works<x>\"y", "é", "日本語", "?x=1", "#f", "a\\b",
  ])
  func h09AKeyIsKeptByteForByte(_ key: String) throws {
    let store = try TestServer.store()
    let name = ObjectName(key: key, shown: "s3://\(TestServer.bucket)/\(key)")
    let part = try testPart(1, Array(key.utf8))
    let hints = ObjectHints(item: "i", token: "t", overwrite: true)
    let answer = Result { try store.putWhole(part, at: name, hints, stop: stop) }
    guard case .success(.stored) = answer else {
      // A server may refuse a key; it may never store another.
      print("\(store.session.server) refuses the key \(quoted(key)): \(answer)")
      return
    }
    // SeaweedFS says yes to a key that ends with a slash and keeps nothing: that must show.
    let isKept = (try? TestServer.contents(store, name)) == Array(key.utf8)
    #expect(isKept || (store.session.server == .seaweedFS && key.hasSuffix("/")))
    let proof = try store.prove(name, hints, size: part.size, stop: stop)
    if case .ours = proof { #expect(isKept) } else { #expect(!isKept) }
  }

  @Test(arguments: ChecksumChoice.allCases)
  func partsAreListedWithWhatTheyAre(_ checksum: ChecksumChoice) throws {
    let store = try TestServer.store()
    let name = TestServer.fresh()
    let hints = ObjectHints(item: "i", token: "t2", checksum: checksum)
    let upload = try store.begin(at: name, hints, stop: stop)
    let parts = [
      try testPart(1, [UInt8](repeating: 7, count: 5 << 20)), try testPart(2, [1, 2, 3]),
    ]
    let sent = try parts.map { try store.putPart($0, of: upload, hints, stop: stop) }
    let listed = try store.listParts(upload, stop: stop)
    #expect(listed.map(\.number) == [1, 2])
    #expect(listed.map(\.size) == [5 << 20, 3])
    let bare = { (text: String) in text.filter { $0 != "\"" } }
    #expect(listed.map { bare($0.etag) } == sent.map { bare($0.etag) })
    let answer = try store.commit(upload, sent, hints, stop: stop)
    guard case .stored(let landed, let creation) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(landed.etag?.isEmpty != true)
    #expect(creation == (store.session.server.refusesComplete ? .conditional : .checked))
    // A second time: the same, or a failure that must be settled by looking.
    do throws(StoreFault) {
      switch try store.commit(upload, sent, hints, stop: stop) {
      case .stored, .exists: break
      case .unknown(let fault): Issue.record("\(fault)")
      }
    } catch {
      #expect(error.mayHaveHappened, "\(error)")
    }
    guard case .ours = try store.prove(name, hints, size: (5 << 20) + 3, stop: stop) else {
      Issue.record("not ours")
      return
    }
  }

  @Test func aBucketThatIsNotThereIsARefusal() throws {
    var settings = S3Settings(region: "us-east-1")
    settings.endpoint = TestServer.endpoint
    let store = try S3Store(bucket: "no-such-bucket-here", settings, TestServer.surroundings())
    let error = #expect(throws: StoreFault.self) {
      try store.begin(at: TestServer.fresh(), ObjectHints(item: "i", token: "t"), stop: stop)
    }
    #expect(error?.remedy == .permanent)
    #expect([.remoteRefused, .missingObject].contains(error?.fault.kind))
  }

  @Test func wrongKeysAreDeniedAndNeverShown() throws {
    let store = try TestServer.store(TestServer.surroundings(secret: "wrongsecret"))
    let error = #expect(throws: StoreFault.self) {
      try store.putWhole(
        testPart(1, [1]), at: TestServer.fresh(), ObjectHints(item: "i", token: "t"), stop: stop)
    }
    #expect(error?.fault.kind == .remoteDenied)
    #expect(error?.fault.reason.contains("wrongsecret") == false)
  }

  @Test func h03AWrongClockIsSetByTheServersDate() throws {
    var surroundings = TestServer.surroundings()
    surroundings.now = { Instant(seconds: Instant.now.seconds - 7200) }
    let store = try TestServer.store(surroundings)
    let name = TestServer.fresh()
    let hints = ObjectHints(item: "i", token: "t", overwrite: true)
    let put = { try store.putWhole(testPart(1, [1]), at: name, hints, stop: stop) }
    let error = #expect(throws: StoreFault.self) { try put() }
    #expect(error?.remedy == .refreshed)
    guard case .stored = try put() else {
      Issue.record("not stored")
      return
    }
  }

  @Test func rangesAreReadAndPinned() throws {
    let store = try TestServer.store()
    let name = TestServer.fresh()
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    _ = try store.putWhole(
      testPart(1, bytes), at: name, ObjectHints(item: "i", token: "t"), stop: stop)
    let source = S3Source(store, name)
    let wishes: [(ByteWish, Range<Int>)] = [
      (.from(0), 0..<100_000), (.from(99_999), 99_999..<100_000), (.closed(5, 5), 5..<6),
      (.closed(10, 500_000), 10..<100_000), (.suffix(3), 99_997..<100_000),
    ]
    for (wish, range) in wishes {
      var got: [UInt8] = []
      let head = try source.fetch(wish, pin: nil, stop: stop) { _, piece in
        append(piece, to: &got)
      }
      #expect(got == Array(bytes[range]), "\(wish)")
      #expect(head.size == 100_000)
      #expect(head.offset == UInt64(range.lowerBound))
    }
    let beyond = #expect(throws: StoreFault.self) {
      try source.fetch(.closed(100_000, 100_001), pin: nil, stop: stop) { _, _ in }
    }
    #expect(beyond?.fault.kind == .badRange)
    let changed = #expect(throws: StoreFault.self) {
      try source.fetch(.from(0), pin: "\"0123\"", stop: stop) { _, _ in }
    }
    #expect(changed?.fault.kind == .objectChanged)
  }
}

func testPart(_ number: Int, _ bytes: [UInt8]) throws -> PartData {
  PartData(
    number: number, offset: 0, bytes: ArrayBytes(bytes), sha256: try Digest.of(bytes.span, .sha256))
}
