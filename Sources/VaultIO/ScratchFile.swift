public import VaultFault

/// A file without a name for what does not fit into memory: it is gone with this value, or with the
/// process, however that ends.
public struct ScratchFile: ~Copyable, @unchecked Sendable {
  private let descriptor: Descriptor

  /// Makes an empty one in a directory, mode 0600.
  ///
  /// - Throws: ``VaultFault/FaultKind/cannotCreate``; ``VaultFault/FaultKind/writeFailed``.
  public init(in directory: borrowing Directory) throws(Fault) {
    let path = directory.path
    let begun = try TemporaryFile.begin(in: directory, for: path, permissions: 0o600, unnamed: true)
    if let name = begun.name { try ScratchFile.forget(name, begun.number, directory) }
    var descriptor = Descriptor(
      owning: begun.number, name: "a temporary file in \(path.quoted)")
    descriptor.heedsSignals = false
    self.descriptor = descriptor
  }

  private static func forget(
    _ name: [UInt8], _ number: Int32, _ directory: borrowing Directory
  ) throws(Fault) {
    do throws(Fault) { _ = try directory.remove(name) } catch {
      try Descriptor(owning: number, name: "").close()
      throw error
    }
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
