public import VaultFault

/// A file without a name that several threads read and write: for what does not fit into memory.
///
/// It is gone with this value, or with the process, however that ends.
public struct ScratchFile: ~Copyable, @unchecked Sendable {
  // Only ever used at given offsets, so that threads do not share a position.
  private let descriptor: Descriptor

  /// Makes an empty one in a directory, mode 0600.
  ///
  /// - Throws: ``VaultFault/FaultKind/cannotCreate``.
  public init(in directory: Path) throws(Fault) {
    descriptor = try File.openUnnamed(in: directory)
  }

  /// Writes all bytes at `offset`.
  ///
  /// - Throws: ``VaultFault/FaultKind/writeFailed``.
  public func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(Fault) {
    try descriptor.pwriteAll(bytes, at: offset)
  }

  /// Reads bytes at `offset` to the front of `out`, `limit` at most; returns how many, 0 at the end.
  ///
  /// - Throws: ``VaultFault/FaultKind/readFailed``.
  public func read(
    into out: inout MutableSpan<UInt8>, at offset: UInt64, atMost limit: Int
  ) throws(Fault) -> Int {
    var result: Result<Int, Fault> = .success(0)
    unsafe out.withUnsafeMutableBytes { buffer in
      let front = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(limit))
      do throws(Fault) {
        result = .success(unsafe try descriptor.pread(into: front, at: offset))
      } catch { result = .failure(error) }
    }
    return try result.get()
  }
}
