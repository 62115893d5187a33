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
    var first: ObjectHead?
    var done: UInt64 = 0
    var refusal: Fault?
    var tries = Tries(policy)
    while true {
      var got = false
      do throws(StoreFault) {
        let head = try source.fetch(
          rest(wish, first, done), pin: first?.etag ?? pin, stop: stop
        ) { head, piece throws(Fault) in
          let whole = first ?? head
          guard head.size == nil || whole.size == nil || head.size == whole.size else {
            throw Fault(.objectChanged, "\(source.shown) has another size now")
          }
          first = whole
          got = true
          done += UInt64(piece.count)
          do throws(Fault) { try sink(whole, piece) } catch {
            refusal = error
            throw error
          }
        }
        return first ?? head
      } catch {
        // Whoever takes the bytes does not want them: no matter of the remote, even at the last one.
        if let refusal { throw StoreFault(refusal) }
        if got { tries = Tries(policy) }
        if let first, done == first.count { return first }
        guard first == nil || first?.etag != nil || done == 0 else { throw error }
        try tries.wait(after: error, stop)
      }
    }
  }

  private func rest(_ wish: ByteWish, _ first: ObjectHead?, _ done: UInt64) -> ByteWish {
    guard let first, done > 0 else { return wish }
    return .closed(first.offset + done, first.offset + first.count - 1)
  }
}
