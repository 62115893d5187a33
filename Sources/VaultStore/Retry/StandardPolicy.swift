internal import VaultIO

extension RetryPolicy {
  /// The policy of the tools: the kernel's chance and clock, and pauses that end when the flag
  /// is raised.
  public static var standard: RetryPolicy {
    RetryPolicy(
      random: {
        let byte = (try? Entropy.bytes(1))?.first ?? 128
        return Double(byte) / 256
      }, now: { Clock.monotonic() / 1_000_000 },
      pause: { milliseconds, stop in
        let end = Clock.deadline(inMilliseconds: milliseconds)
        while !stop.isRaised, Clock.monotonic() < end {
          let left = (end - min(end, Clock.monotonic())) / 1_000_000
          Clock.sleep(milliseconds: min(left + 1, 50))
        }
      })
  }
}
