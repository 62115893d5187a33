import Foundation
import Synchronization
import Testing
import VaultFault

@testable import VaultStore

/// What is held while pieces are read, and how it ends.
@Suite struct PieceEndTests {
  @Test func noMorePiecesAreHeldThanThereAreLanes() throws {
    let server = try PieceServer()
    let written = Mutex(0)
    let most = Mutex(0)
    let found = try server.read() { _, piece in
      // The writer is slow: the others run ahead as far as they may.
      usleep(3_000)
      let begun = server.ranges.compactMap { Int($0?.dropFirst(6).prefix { $0 != "-" } ?? "") }
      let ahead = (begun.max() ?? 0) - max(10_000, written.withLock { $0 })
      written.withLock { $0 += piece.count }
      most.withLock { $0 = max($0, ahead) }
    }
    #expect(found.bytes == PieceServer.bytes)
    #expect(most.withLock { $0 } == 2 * 4_000)
  }

  @Test func aBoardGivesNoMoreThanItsPlaces() throws {
    let board = PieceBoard(PiecePlan(bounds: 5..<50, length: 10), places: 2)
    let (first, second) = (board.claim(), board.claim())
    #expect(first?.range == 5..<15 && second?.range == 15..<25)
    let third = Mutex<PieceBoard.Claim?>(nil)
    let waiter = Thread { third.withLock { $0 = board.claim() } }
    waiter.start()
    let memory = try #require(first?.memory)
    board.settle(0, .bytes(memory))
    guard case .bytes(let given) = try board.next() else { throw CancellationError() }
    #expect(given === memory && board.offset == 5)
    board.written(given)
    while !waiter.isFinished { usleep(1_000) }
    // The memory of the piece that was written, and no other.
    #expect(third.withLock { $0?.range } == 25..<35)
    #expect(third.withLock { $0?.memory } === memory)
    board.settle(1, .unranged)
    #expect(board.claim() == nil && board.offset == 15)
  }

  @Test func aRaisedFlagEndsAllOfIt() throws {
    let stop = StopFlag()
    let server = try PieceServer { first, _ in
      if first == 50_000 { stop.raise() }
      return PieceServer.Answer(delay: first >= 50_000 ? 30_000_000 : 0)
    }
    let found = try server.read(stop: stop)
    #expect(found.fault?.kind == .cancelled)
    #expect(Array(PieceServer.bytes.prefix(found.bytes.count)) == found.bytes)
    #expect(found.bytes.count <= 50_000)
  }

  @Test func aSinkThatFailsSpeaksForItselfAndEndsTheRest() throws {
    let server = try PieceServer()
    let found = try server.read() { _, piece throws(Fault) in
      if piece.count == 4_000 { throw Fault(.writeFailed, "no room") }
    }
    #expect(found.fault?.reason == "no room")
    #expect(server.ranges.count <= 6)
  }

  @Test func anObjectThatIsRefusedAtOnceCostsOneRequest() throws {
    let server = try PieceServer()
    let found = try server.read() { _, _ throws(Fault) in throw Fault(.tooLarge, "too large") }
    #expect(found.fault?.kind == .tooLarge)
    #expect(server.ranges == ["bytes=0-9999"])
  }
}
