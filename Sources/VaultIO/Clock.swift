internal import CLinux

/// What time it is.
public enum Clock {
  /// The wall clock: seconds since 1970 in UTC, and nanoseconds 0 to 999,999,999.
  public static func now() -> (seconds: Int64, nanoseconds: Int64) {
    var seconds: Int64 = 0
    var nanoseconds: Int64 = 0
    unsafe linux_wall_clock(&seconds, &nanoseconds)
    return (seconds, nanoseconds)
  }

  /// Nanoseconds of a clock that is never set; for durations and deadlines.
  public static func monotonic() -> UInt64 { linux_monotonic() }

  /// The deadline so many milliseconds from now, on the monotonic clock.
  public static func deadline(inMilliseconds count: UInt64) -> UInt64 {
    let (deadline, isPast) = monotonic().addingReportingOverflow(count * 1_000_000)
    return isPast ? .max : deadline
  }

  /// Sleeps, or less if a signal comes.
  public static func sleep(milliseconds: UInt64) { linux_sleep(milliseconds * 1_000_000) }

  /// `2026-11-30T03:36:49Z`.
  public static func iso8601(_ seconds: Int64) -> String { CivilTime(seconds).iso8601 }
}
