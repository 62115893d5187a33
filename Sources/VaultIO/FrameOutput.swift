internal import CLinux
internal import Glibc
public import VaultFault

/// An output that a stream of frames goes to, so that an abort always begins at a frame border.
///
/// A write that was cancelled in the middle of a frame leaves its rest here; ``abort(_:)`` sends that
/// first.
public struct FrameOutput: ~Copyable {
  /// Where the frames go.
  public let descriptor: Descriptor
  private var rest: [UInt8] = []
  private var failed = false

  /// Takes over `descriptor`.
  public init(_ descriptor: consuming Descriptor) {
    descriptor.widenPipe()
    self.descriptor = descriptor
  }

  /// Writes one frame: its header and its payload.
  ///
  /// - Throws: ``VaultFault/FaultKind/writeFailed``; ``VaultFault/FaultKind/cancelled``, after which
  ///   only ``abort(_:)`` makes sense.
  public mutating func write(_ head: Span<UInt8>, _ body: Span<UInt8>) throws(Fault) {
    var sent = 0
    do throws(Fault) {
      try descriptor.write(head, body, sent: &sent)
    } catch {
      failed = error.kind != .cancelled
      // Nothing of this frame went out: the stream is at a border, and the frame is dropped.
      if sent > 0 { keepRest(head, body, after: sent) }
      throw error
    }
  }

  /// Writes bytes that are whole by themselves: a prologue, or an end frame.
  ///
  /// - Throws: as ``write(_:_:)``.
  public mutating func write(_ bytes: Span<UInt8>) throws(Fault) {
    try write(bytes, Span())
  }

  /// Sends the rest of an interrupted frame and then `frame`, without blocking, for 2 s at most.
  ///
  /// - Returns: whether all of it went out. After a failed write nothing is sent.
  public mutating func abort(_ frame: Span<UInt8>) -> Bool {
    if failed { return false }
    let deadline = Clock.deadline(inMilliseconds: 2_000)
    let finished =
      descriptor.writeForAbort(rest.span, deadline: deadline)
      && descriptor.writeForAbort(frame, deadline: deadline)
    rest = []
    failed = !finished
    return finished
  }

  /// Whether an interrupted frame waits to be completed by ``abort(_:)``.
  public var isInFrame: Bool { !rest.isEmpty }

  private mutating func keepRest(_ head: Span<UInt8>, _ body: Span<UInt8>, after sent: Int) {
    let total = head.count + body.count
    rest.reserveCapacity(total - sent)
    for index in sent..<total {
      rest.append(index < head.count ? head[index] : body[index - head.count])
    }
  }
}

extension Descriptor {
  /// Writes what the other end takes before `deadline` (monotonic nanoseconds), never waiting longer,
  /// even after a signal.
  ///
  /// - Returns: whether all of it went out.
  public func writeForAbort(_ bytes: Span<UInt8>, deadline: UInt64) -> Bool {
    // A terminal that is held back can block even then: ticks interrupt it.
    linux_signals_begin_ticks()
    defer { linux_signals_end_ticks() }
    var sent = 0
    while sent < bytes.count {
      let now = Clock.monotonic()
      guard now < deadline else { return false }
      let ready = linux_poll(
        number, linux_poll_out, Int32(clamping: (deadline - now) / 1_000_000 + 1))
      if ready <= 0 { continue }
      // A pipe that is ready has room for PIPE_BUF bytes: so much does not block.
      let count = writeOnce(bytes.extracting(sent..<min(bytes.count, sent + 4_096)))
      if count < 0 && count != -Int(EINTR) && count != -Int(EAGAIN) { return false }
      sent += max(0, count)
    }
    return true
  }
}
