public import VaultFault

/// Reads a stretch of an object to its end, over broken connections: each new request asks for the
/// rest and is pinned to the first answer's ETag, so that no byte comes twice or from another object.
public struct ContinuedRead: Sendable {
  private let source: any ObjectSource
  private let policy: RetryPolicy

  /// Reads from `source`; the policy's tries count anew whenever bytes have come.
  public init(_ source: any ObjectSource, _ policy: RetryPolicy) {
    self.source = source
    self.policy = policy
  }

  /// Gives every byte of `wish` to `sink`, in order and once, with the head of the first answer.
  ///
  /// - Throws: what the source throws when trying again is over; `object-changed`; what `sink` throws.
  public func read(
    _ wish: ByteWish, pin: String? = nil, stop: StopFlag,
    sink: (ObjectHead, Span<UInt8>) throws(Fault) -> Void
  ) throws(StoreFault) -> ObjectHead {
    var progress = Progress()
    var tries = Tries(policy)
    while true {
      let before = progress.done
      do throws(StoreFault) {
        return try once(wish, pin, &progress, stop, sink)
      } catch {
        if progress.done > before { tries = Tries(policy) }
        if let first = progress.first, progress.done == first.count { return first }
        // Without a tag the rest could be another object's.
        guard progress.done == 0 || progress.first?.etag != nil else { throw error }
        try tries.wait(after: error, stop)
      }
    }
  }

  private struct Progress {
    var first: ObjectHead?
    var done: UInt64 = 0
  }

  private func once(
    _ wish: ByteWish, _ pin: String?, _ progress: inout Progress, _ stop: StopFlag,
    _ sink: (ObjectHead, Span<UInt8>) throws(Fault) -> Void
  ) throws(StoreFault) -> ObjectHead {
    let wanted = rest(wish, progress.first, progress.done)
    let pin = progress.first?.etag ?? pin
    let head = try source.fetch(wanted, pin: pin, stop: stop) { head, piece throws(Fault) in
      let whole = progress.first ?? head
      guard head.size == nil || whole.size == nil || head.size == whole.size else {
        throw Fault(.objectChanged, "\(source.shown) has another size now")
      }
      progress.first = whole
      try sink(whole, piece)
      // Only after the sink has taken it: a piece that it refused is not done.
      progress.done += UInt64(piece.count)
    }
    return progress.first ?? head
  }

  private func rest(_ wish: ByteWish, _ first: ObjectHead?, _ done: UInt64) -> ByteWish {
    guard let first, done > 0 else { return wish }
    return .closed(first.offset + done, first.offset + first.count - 1)
  }
}
