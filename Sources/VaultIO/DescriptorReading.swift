internal import CLinux
internal import Glibc
public import VaultFault

extension Descriptor {
  /// Reads at most `buffer.count` bytes (of which there must be one) and at most 1 GiB.
  ///
  /// Interruptions are repeated, a descriptor in non-blocking mode is waited for.
  /// - Returns: the bytes read; 0 only at the end of the file.
  /// - Throws: ``VaultFault/FaultKind/readFailed``, ``VaultFault/FaultKind/cancelled``.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    guard let base = buffer.baseAddress, unsafe !buffer.isEmpty else { return 0 }
    let count = min(buffer.count, largestTransfer)
    return try reading { unsafe linux_read(number, base, count) }
  }

  /// Reads at most `bytes.count - start` bytes into `bytes[start...]`.
  ///
  /// - Returns: the bytes read; 0 only at the end of the file.
  /// - Throws: as ``read(into:)``.
  public func read(into bytes: inout [UInt8], from start: Int = 0) throws(Fault) -> Int {
    unsafe try bytes.withBytes(from: start) { (buffer) throws(Fault) in
      unsafe try read(into: buffer)
    }
  }

  /// Reads at `offset` without moving; for regular files. Otherwise as ``read(into:)``.
  public func pread(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(Fault) -> Int {
    guard let base = buffer.baseAddress, unsafe !buffer.isEmpty else { return 0 }
    let count = min(buffer.count, largestTransfer)
    return try reading { unsafe linux_pread(number, base, count, offset) }
  }

  /// Reads at most `bytes.count - start` bytes at `offset` into `bytes[start...]`, without moving.
  public func pread(
    into bytes: inout [UInt8], from start: Int = 0, at offset: UInt64
  ) throws(Fault) -> Int {
    unsafe try bytes.withBytes(from: start) { (buffer) throws(Fault) in
      unsafe try pread(into: buffer, at: offset)
    }
  }

  /// Reads to the end of the file.
  ///
  /// - Throws: as ``read(into:)``; ``VaultFault/FaultKind/tooLarge`` past `limit` bytes.
  public func readAll(limit: Int) throws(Fault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: min(limit + 1, 65_536))
    var filled = 0
    while true {
      let count = try read(into: &bytes, from: filled)
      filled += count
      if filled > limit { throw Fault(.tooLarge, "\(name) has more than \(limit) bytes") }
      if count == 0 { return Array(bytes.prefix(filled)) }
      if filled == bytes.count {
        bytes.append(contentsOf: repeatElement(0, count: min(filled, limit + 1 - filled)))
      }
    }
  }

  private func reading(_ call: () -> Int) throws(Fault) -> Int {
    while true {
      let result = try retrying(heedingSignals: heedsSignals, call)
      if result >= 0 { return result }
      guard result == -Int(EAGAIN) else {
        throw Fault(.readFailed, "cannot read \(name): \(systemReason(Int32(-result)))")
      }
      try wait(for: linux_poll_in)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func withBytes(
    from start: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Fault) -> Int
  ) throws(Fault) -> Int {
    var result: Result<Int, Fault> = .success(0)
    unsafe self.withUnsafeMutableBytes { bytes in
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      do throws(Fault) { result = .success(unsafe try body(rest)) } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}
