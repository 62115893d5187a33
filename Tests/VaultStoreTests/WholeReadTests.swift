import Testing
import VaultFault

@testable import VaultStore

/// One object by several requests at once: 10,000 bytes at first, then pieces of 4,000.
@Suite struct WholeReadTests {
  @Test(arguments: [2, 3, 8, 64])
  func piecesComeInOrderAndOnce(lanes: Int) throws {
    // The later a piece is, the sooner it comes.
    let server = try PieceServer { first, _ in
      PieceServer.Answer(delay: first == 0 ? 0 : UInt32(100_000 - first) / 10)
    }
    let found = try server.read(lanes: lanes)
    #expect(found.bytes == PieceServer.bytes)
    #expect(found.head?.count == 100_000 && found.head?.size == 100_000)
    #expect(server.ranges.first == "bytes=0-9999")
    #expect(server.ranges.count == 24)
    #expect(Set(server.ranges).count == 24)
    #expect(server.server.requests.dropFirst().allSatisfy { $0.headers["if-match"] == "\"e\"" })
  }

  @Test(arguments: [99_999, 100_000, 100_001, 1_000_000])
  func whatTheFirstRequestCoversIsOneRequest(opening: UInt64) throws {
    let server = try PieceServer()
    #expect(try server.read(opening: opening).bytes == PieceServer.bytes)
    #expect(server.ranges.count == (opening < 100_000 ? 2 : 1))
  }

  @Test(arguments: [9_999, 10_000, 10_001, 13_999, 14_000, 14_001, 18_000, 22_001])
  func sizesAroundTheBordersAreWhole(size: Int) throws {
    let server = try PieceServer { _, _ in PieceServer.Answer(size: size) }
    let found = try server.read()
    #expect(found.bytes == Array(PieceServer.bytes.prefix(size)))
    #expect(server.ranges.count == 1 + max(0, size - 10_000 + 3_999) / 4_000)
  }

  @Test func oneLaneIsOneStreamWithoutARange() throws {
    let server = try PieceServer()
    #expect(try server.read(lanes: 1).bytes == PieceServer.bytes)
    #expect(server.ranges == [nil])
  }

  @Test func aPieceThatBreaksIsContinuedWhereItStopped() throws {
    let server = try PieceServer { first, _ in
      PieceServer.Answer(cut: first % 4_000 == 2_000 ? 1_500 : .max)
    }
    #expect(try server.read().bytes == PieceServer.bytes)
    #expect(server.ranges.contains("bytes=51500-53999"))
    #expect(server.ranges.count == 24 + 23)
  }

  @Test func aPieceThatAlwaysBreaksEndsAfterItsTries() throws {
    let server = try PieceServer { first, _ in
      PieceServer.Answer(cut: first == 50_000 ? 0 : .max)
    }
    let found = try server.read()
    #expect(found.fault?.kind == .remoteFailed)
    #expect(found.fault?.reason.contains("gave up after 3 tries") == true)
    #expect(found.bytes == Array(PieceServer.bytes.prefix(50_000)))
    #expect(server.ranges.filter { $0 == "bytes=50000-53999" }.count == 3)
  }

  @Test(arguments: [
    PieceServer.Answer(etag: "\"other\""), PieceServer.Answer(etag: nil),
    PieceServer.Answer(status: 412), PieceServer.Answer(range: "bytes 50000-53999/100001"),
  ])
  func aChangedObjectEndsBeforeTheFirstOtherByte(_ answer: PieceServer.Answer) throws {
    let server = try PieceServer { first, _ in first >= 50_000 ? answer : PieceServer.Answer() }
    let found = try server.read()
    #expect(found.fault?.kind == .objectChanged)
    #expect(found.bytes == Array(PieceServer.bytes.prefix(50_000)))
    // Nobody goes on behind it but those who had begun.
    #expect(server.ranges.count <= 11 + 3)
  }

  @Test(arguments: [
    "bytes 50000-53998/100000", "bytes 49999-53998/100000", "bytes 0-3999/100000", "bytes 50000/5",
  ])
  func aWrongContentRangeIsRefused(_ range: String) throws {
    let server = try PieceServer { first, _ in
      PieceServer.Answer(range: first == 50_000 ? range : nil)
    }
    let found = try server.read()
    #expect(found.fault?.kind == .remoteRefused)
    #expect(found.bytes == Array(PieceServer.bytes.prefix(50_000)))
    #expect(found.fault?.reason.contains("secret") == false)
  }

  @Test(arguments: [0, 10_000, 50_000, 98_000])
  func aServerThatIgnoresRangesFromSomewhereIsReadOnAsOneStream(from: Int) throws {
    let server = try PieceServer { first, _ in
      PieceServer.Answer(status: first >= from ? 200 : 206)
    }
    let found = try server.read()
    #expect(found.bytes == PieceServer.bytes)
    if from == 0 { #expect(server.ranges.count == 1) }
    if from == 50_000 { #expect(server.ranges.filter { $0?.hasSuffix("-") == true }.count == 1) }
  }

  @Test(arguments: [nil, "W/\"e\""])
  func withoutATagThatPinsItIsOneStream(etag: String?) throws {
    let server = try PieceServer { _, _ in PieceServer.Answer(etag: etag) }
    let found = try server.read()
    #expect(found.bytes == PieceServer.bytes)
    #expect(server.ranges == ["bytes=0-9999", nil])
  }

  @Test func withoutASizeItIsOneStream() throws {
    let server = try PieceServer { _, _ in PieceServer.Answer(range: "bytes 0-9999/*") }
    #expect(try server.read().bytes == PieceServer.bytes)
    #expect(server.ranges == ["bytes=0-9999", nil])
  }

  @Test func anEmptyObjectHasNoFirstByteAndIsEmpty() throws {
    let server = try ScriptedServer { request, end in
      end.answer(request.headers["range"] == nil ? 200 : 416)
    }
    let source = try URLSource(server.url, S3Settings(region: "r"))
    let policy = RetryPolicy(random: { 0 }, now: { 0 }, pause: { _, _ in })
    let head = try WholeRead(source, policy, lanes: 4, StopFlag()).read(pin: nil) { _, _ in }
    #expect(head.count == 0 && head.size == 0)
  }
}
