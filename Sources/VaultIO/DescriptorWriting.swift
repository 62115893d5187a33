internal import CLinux
internal import Glibc
public import VaultFault

extension Descriptor {
  /// Writes all of `bytes`, whatever number of calls it takes; at most 1 GiB a call.
  ///
  /// Interruptions are repeated, a descriptor in non-blocking mode is waited for.
  /// - Throws: ``VaultFault/FaultKind/writeFailed``, ``VaultFault/FaultKind/cancelled``.
  public func writeAll(_ bytes: Span<UInt8>) throws(Fault) {
    var sent = 0
    try write(bytes, sent: &sent)
  }

  /// Writes all of `head` and then all of `body`, in one call where that is possible.
  ///
  /// - Throws: as ``writeAll(_:)``.
  public func writeAll(_ head: Span<UInt8>, _ body: Span<UInt8>) throws(Fault) {
    var sent = 0
    try write(head, body, sent: &sent)
  }

  /// Writes all of `bytes`. For regular files: where the position is, or at `offset` without moving.
  public func pwriteAll(_ bytes: Span<UInt8>, at offset: UInt64) throws(Fault) {
    var sent = 0
    while sent < bytes.count {
      let rest = bytes.extracting(sent..<min(bytes.count, sent + largestTransfer))
      sent += try writing {
        unsafe rest.withUnsafeBytes { piece in
          guard let base = piece.baseAddress else { return 0 }
          return unsafe linux_pwrite(number, base, piece.count, offset + UInt64(sent))
        }
      }
    }
  }

  /// As ``writeAll(_:_:)``; when it throws, `sent` says how many bytes of the two went out.
  func write(_ head: Span<UInt8>, _ body: Span<UInt8>, sent: inout Int) throws(Fault) {
    while sent < head.count && !body.isEmpty {
      sent += try writePair(
        head.extracting(sent...), body.extracting(..<min(body.count, largestTransfer / 2)))
    }
    if sent < head.count { return try write(head, sent: &sent) }
    var sentOfBody = sent - head.count
    defer { sent = head.count + sentOfBody }
    try write(body, sent: &sentOfBody)
  }

  private func write(_ bytes: Span<UInt8>, sent: inout Int) throws(Fault) {
    while sent < bytes.count {
      let piece = bytes.extracting(sent..<min(bytes.count, sent + largestTransfer))
      sent += try writing { writeOnce(piece) }
    }
  }

  /// One call, not repeated.
  func writeOnce(_ bytes: Span<UInt8>) -> Int {
    unsafe bytes.withUnsafeBytes { piece in
      guard let base = piece.baseAddress else { return 0 }
      return unsafe linux_write(number, base, piece.count)
    }
  }

  private func writePair(_ head: Span<UInt8>, _ body: Span<UInt8>) throws(Fault) -> Int {
    try writing {
      unsafe head.withUnsafeBytes { first in
        unsafe body.withUnsafeBytes { second in
          guard let one = first.baseAddress, let two = second.baseAddress else { return 0 }
          return unsafe linux_write_pair(number, one, first.count, two, second.count)
        }
      }
    }
  }

  private func writing(_ call: () -> Int) throws(Fault) -> Int {
    while true {
      let result = try retrying(heedingSignals: heedsSignals, call)
      if result > 0 { return result }
      guard result == -Int(EAGAIN) else {
        let reason = result == 0 ? "the system took no byte" : systemReason(Int32(-result))
        throw Fault(.writeFailed, "cannot write \(name): \(reason)")
      }
      try wait(for: linux_poll_out)
    }
  }
}
