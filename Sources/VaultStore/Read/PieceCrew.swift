internal import VaultFault
internal import VaultIO

/// Threads that fetch the pieces of one object, each pinned to the ETag of the first answer.
struct PieceCrew: Sendable {
  let board: PieceBoard
  private let source: any ObjectSource
  private let policy: RetryPolicy
  private let whole: ObjectHead
  private let stop: StopFlag

  /// A crew without anyone in it; it gives up when `stop` is raised.
  init(
    _ source: any ObjectSource, _ policy: RetryPolicy, _ whole: ObjectHead, _ board: PieceBoard,
    _ stop: StopFlag
  ) {
    self.source = source
    self.policy = policy
    self.whole = whole
    self.board = board
    self.stop = StopFlag(parent: stop)
  }

  /// Starts so many more threads.
  func hire(_ count: Int) throws(Fault) {
    for _ in 0..<count {
      board.enter()
      do throws(Fault) { _ = try WorkerThread { work() } } catch {
        board.leave()
        throw error
      }
    }
  }

  /// Ends all work, whatever it costs, and waits until nobody is at it.
  func dismiss() {
    stop.raise()
    board.end()
  }

  private func work() {
    while let claim = board.claim() {
      board.settle(claim.number, fetch(claim))
    }
    board.leave()
  }

  private func fetch(_ claim: PieceBoard.Claim) -> PieceAnswer {
    let (range, memory) = (claim.range, claim.memory)
    memory.bytes.removeAll(keepingCapacity: true)
    memory.bytes.reserveCapacity(range.count)
    var isUnranged = false
    let wish = ByteWish.closed(range.lowerBound, range.upperBound - 1)
    do throws(StoreFault) {
      _ = try ContinuedRead(source, policy).read(wish, pin: whole.etag, stop: stop) {
        head, piece throws(Fault) in
        isUnranged = head.ignoresRange
        try check(head)
        append(piece, to: &memory.bytes)
      }
    } catch { return isUnranged ? .unranged : .failed(error) }
    guard memory.bytes.count == range.count else {
      return .failed(short(memory.bytes.count, range))
    }
    return .bytes(memory)
  }

  private func check(_ head: ObjectHead) throws(Fault) {
    guard !head.ignoresRange else {
      throw Fault(.remoteRefused, "\(source.shown): the server does not keep to ranges")
    }
    guard head.size == nil || head.size == whole.size else {
      throw Fault(.objectChanged, "\(source.shown) has another size now")
    }
  }

  private func short(_ count: Int, _ range: Range<UInt64>) -> StoreFault {
    StoreFault(
      Fault(.internalFault, "\(source.shown): a piece has \(count) bytes of \(range.count)"))
  }
}
