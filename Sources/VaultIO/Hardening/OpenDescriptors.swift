internal import CLinux
public import VaultFault

extension Hardening {
  /// Throws `usage` unless all of these are open. Call it before a file is opened, which could get the
  /// number: then a password would be read out of that file.
  public static func requireOpen(_ numbers: [Int32]) throws(Fault) {
    for number in numbers where linux_is_open(number) == 0 {
      throw Fault(.usage, "descriptor \(number) is not open")
    }
  }

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
