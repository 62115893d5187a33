internal import CLinux

extension Hardening {
  /// Closes every descriptor above 2 that is not named: what a caller left open is not ours.
  ///
  /// - Parameter kept: the ones that options name.
  public static func closeOthers(keeping kept: [Int32]) {
    var first: UInt32 = 3
    for number in (kept + [Signals.wakeDescriptor]).filter({ $0 > 2 }).sorted() {
      let stop = UInt32(number)
      if stop > first { close(first, stop - 1) }
      first = max(first, stop + 1)
    }
    close(first, UInt32(Int32.max))
  }

  // Kernels before 5.9 have no call for a range.
  private static func close(_ first: UInt32, _ last: UInt32) {
    if linux_close_range(first, last) == 0 { return }
    for number in first...min(last, linux_descriptor_limit()) { _ = linux_close(Int32(number)) }
  }
}
