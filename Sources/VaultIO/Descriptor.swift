internal import CLinux
public import VaultFault

/// A file descriptor and the name that messages give it.
///
/// Owns the descriptor and closes it, except the three standard ones. Reads and writes are in
/// DescriptorReading and DescriptorWriting.
public struct Descriptor: ~Copyable, Sendable {
  /// The number, for poll and for options that keep it open.
  public let number: Int32
  /// What messages call it: `standard input`, or a quoted path.
  public let name: String
  /// Whether a pending signal makes reads and writes throw ``VaultFault/FaultKind/cancelled``. Turned
  /// off for what must be written even then: journals, receipts.
  public var heedsSignals = true
  private var owned: Bool

  /// Takes over `number`, which is closed at the end of this value's life.
  public init(owning number: Int32, name: String) {
    self.number = number
    self.name = name
    owned = true
  }

  /// Uses `number`, which stays open.
  public init(borrowing number: Int32, name: String) {
    self.number = number
    self.name = name
    owned = false
  }

  deinit { if owned { _ = linux_close(number) } }

  /// Descriptor 0, left open.
  public static func standardInput() -> Descriptor {
    Descriptor(borrowing: 0, name: "standard input")
  }

  /// Descriptor 1, left open.
  public static func standardOutput() -> Descriptor {
    Descriptor(borrowing: 1, name: "standard output")
  }

  /// Descriptor 2, left open; heeds no signals, since the last words come after one.
  public static func standardError() -> Descriptor {
    var error = Descriptor(borrowing: 2, name: "standard error")
    error.heedsSignals = false
    return error
  }

  /// Closes now and says what the system says: some file systems report a lost write only here.
  ///
  /// - Throws: ``VaultFault/FaultKind/writeFailed``.
  public consuming func close() throws(Fault) {
    guard owned else { return }
    owned = false
    let result = linux_close(number)
    if result < 0 && result != -4 {
      throw Fault(.writeFailed, "cannot close \(name): \(systemReason(-result))")
    }
  }

  /// Waits until a call can go on, or a signal comes.
  func wait(for events: Int16) throws(Fault) {
    _ = try retrying(heedingSignals: heedsSignals) { Int(linux_poll(number, events, -1)) }
  }
}
