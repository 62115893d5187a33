internal import CLinux
internal import Glibc
public import VaultFault

/// Interrupts a thread that waits for input: a worker rings when it has something to say.
public final class Bell: Sendable {
  /// Its descriptor, which is readable while it rings; for poll.
  public let number: Int32

  /// A bell that does not ring.
  ///
  /// - Throws: ``VaultFault/FaultKind/internalFault`` if the system gives no descriptor.
  public init() throws(Fault) {
    number = linux_bell_make()
    if number < 0 { throw Fault(.internalFault, "no bell: \(systemReason(-number))") }
  }

  deinit { if number >= 0 { _ = linux_close(number) } }

  /// Rings until silenced, from any thread.
  public func ring() { linux_bell_ring(number) }

  /// Stops the ringing.
  public func silence() { linux_bell_silence(number) }
}

extension Descriptor {
  /// Waits until a read would not block, the bell rings, or `deadline` (monotonic nanoseconds) passes.
  ///
  /// - Returns: whether there is something to read; the bell comes first.
  /// - Throws: ``VaultFault/FaultKind/cancelled``.
  public func waitForInput(or bell: Bell, until deadline: UInt64? = nil) throws(Fault) -> Bool {
    let result = try retrying(heedingSignals: heedsSignals) {
      var wait: Int32 = -1
      if let deadline {
        let now = Clock.monotonic()
        wait = now < deadline ? Int32(clamping: (deadline - now) / 1_000_000 + 1) : 0
      }
      return Int(linux_poll_input(number, bell.number, wait))
    }
    return result == 1
  }
}
