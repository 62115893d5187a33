internal import VaultFault

/// Reads a whole object: a small one with one request, a large one by several at once.
///
/// The first request asks for the first bytes. Its answer says how long the object is and pins it for
/// the others; its bytes pass on as they come, while a crew fetches the pieces behind them. Where
/// that cannot be (no ranges, no size, no tag that pins), the object is read as one stream.
struct WholeRead {
  private let source: any ObjectSource
  private let policy: RetryPolicy
  private let lanes: Int
  private let stop: StopFlag
  /// The bytes of the first request: no longer object costs a second one.
  var openingBytes: UInt64 = 16 << 20
  /// The bytes of each further request.
  var pieceBytes: UInt64 = 8 << 20

  typealias Sink = (ObjectHead, Span<UInt8>) throws(Fault) -> Void

  /// - Parameter lanes: how many requests are made at once, and how many pieces are held at most.
  init(_ source: any ObjectSource, _ policy: RetryPolicy, lanes: Int, _ stop: StopFlag) {
    self.source = source
    self.policy = policy
    self.lanes = lanes
    self.stop = stop
  }

  /// Gives every byte to `sink`, in order and once, with the head of the whole object.
  ///
  /// - Parameter pin: the ETag that the object must have.
  /// - Throws: as ``ContinuedRead``; the bytes before those that cannot be had went to `sink`.
  func read(pin: String?, sink: Sink) throws(StoreFault) -> ObjectHead {
    guard lanes > 1, !source.isLocal else { return try stream(pin, sink) }
    var crew: PieceCrew?
    defer { crew?.dismiss() }
    guard let whole = try open(pin, &crew, sink) else { return try stream(pin, sink) }
    guard let crew else { return whole }
    try permanently { () throws(Fault) in try crew.hire(1) }
    return try follow(crew, whole, sink)
  }

  private func stream(_ pin: String?, _ sink: Sink) throws(StoreFault) -> ObjectHead {
    try ContinuedRead(source, policy).read(.from(0), pin: pin, stop: stop, sink: sink)
  }

  // The first bytes. Nil: none went out, and one stream is the way.
  private func open(
    _ pin: String?, _ crew: inout PieceCrew?, _ sink: Sink
  ) throws(StoreFault) -> ObjectHead? {
    var (isBegun, isUnfit) = (false, false)
    let wish = ByteWish.opening(openingBytes)
    do throws(StoreFault) {
      let head = try ContinuedRead(source, policy).read(wish, pin: pin, stop: stop) {
        head, piece throws(Fault) in
        guard let whole = head.whole else {
          isUnfit = true
          throw Fault(.remoteRefused, "\(source.shown): its pieces cannot be pinned")
        }
        try sink(whole, piece)
        // After the sink, which may have refused the object.
        if !isBegun { crew = try hired(whole, behind: head.count) }
        isBegun = true
      }
      return head.whole ?? head
    } catch {
      // An empty object has no first byte.
      guard isUnfit || (!isBegun && error.fault.kind == .badRange) else { throw error }
      return nil
    }
  }

  // One lane is the first request's.
  private func hired(_ whole: ObjectHead, behind offset: UInt64) throws(Fault) -> PieceCrew? {
    guard offset < whole.count else { return nil }
    let plan = PiecePlan(bounds: offset..<whole.count, length: pieceBytes)
    // What many connections need beside their pieces is taken from the pieces.
    let board = PieceBoard(plan, places: lanes - lanes / 8)
    let crew = PieceCrew(source, policy, whole, board, stop)
    do throws(Fault) { try crew.hire(min(lanes - 1, Int(clamping: plan.count))) } catch {
      crew.dismiss()
      throw error
    }
    return crew
  }

  private func follow(
    _ crew: PieceCrew, _ whole: ObjectHead, _ sink: Sink
  ) throws(StoreFault) -> ObjectHead {
    while let answer = try permanently({ () throws(Fault) in try crew.board.next() }) {
      switch answer {
      case .failed(let fault): throw fault
      case .unranged:
        crew.dismiss()
        try finish(whole, from: crew.board.offset, sink)
        return whole
      case .bytes(let memory):
        try give(memory, whole, sink)
        crew.board.written(memory)
      }
    }
    return whole
  }

  private func give(
    _ memory: PieceMemory, _ whole: ObjectHead, _ sink: Sink
  ) throws(StoreFault) {
    let bytes = memory.bytes
    do throws(Fault) { try sink(whole, bytes.span) } catch { throw StoreFault(error) }
  }

  private func finish(
    _ whole: ObjectHead, from offset: UInt64, _ sink: Sink
  ) throws(StoreFault) {
    _ = try ContinuedRead(source, policy).read(.from(offset), pin: whole.etag, stop: stop) {
      head, piece throws(Fault) in
      guard head.size == whole.size else {
        throw Fault(.objectChanged, "\(source.shown) has another size now")
      }
      try sink(whole, piece)
    }
  }
}

extension ObjectHead {
  /// The head of the whole object that these are the first bytes of; nil if the others cannot be
  /// pinned to it. A weak tag pins nothing (RFC 9110 §13.1.1).
  fileprivate var whole: ObjectHead? {
    guard let size else { return nil }
    guard count == size || etag.map({ !$0.hasPrefix("W/") }) ?? false else { return nil }
    var whole = self
    whole.count = size
    return whole
  }
}
