internal import CLinux
internal import Glibc
public import VaultFault

/// A file whose next revision is being made: nobody else who locks it changes it meanwhile, and what
/// others do to it is noticed before the new revision takes its name.
public struct LockedFile: ~Copyable {
  /// The file, open for reading.
  public let descriptor: Descriptor
  /// Its name, where the last link ended: what is replaced.
  public let path: Path
  private let what: String
  private let watch: FileWatch

  /// Opens and locks what `path` leads to.
  ///
  /// - Parameters:
  ///   - what: what messages call it, `the space`; the path follows.
  ///   - kind: the fault if it cannot be opened.
  /// - Throws: `kind`; ``VaultFault/FaultKind/otherChange`` at once while another process has it locked,
  ///   or if it was replaced before it was; ``VaultFault/FaultKind/cannotCreate`` for what is no
  ///   regular file; ``VaultFault/FaultKind/writeFailed`` where its file system keeps no locks.
  public init(_ path: Path, as what: String, orFail kind: FaultKind) throws(Fault) {
    guard case .file(let end, _) = try OutputTarget(path) else {
      throw Fault(.cannotCreate, "cannot replace \(path.quoted): it is no regular file")
    }
    let what = "\(what) \(path.quoted)"
    let file = try LockedFile.open(end, shownAs: path, orFail: kind)
    let result = linux_lock(file.number, 1)
    if result == -EWOULDBLOCK {
      throw Fault(.otherChange, "another change of \(what) is under way")
    }
    if result < 0 {
      throw Fault(.writeFailed, "cannot lock \(what): \(systemReason(-result))")
    }
    guard File.identity(end) == file.identity, let watch = try FileWatch(file) else {
      throw Fault(.otherChange, "another change of \(what) came first")
    }
    self.path = end
    self.what = what
    self.watch = watch
    descriptor = file
  }

  // NFS gives a lock to who may write only.
  private static func open(
    _ path: Path, shownAs shown: Path, orFail kind: FaultKind
  ) throws(Fault) -> Descriptor {
    let number = try require(kind, "cannot open \(shown.quoted)") {
      let both = unsafe path.withPointer { unsafe linux_open_only_read_write(linux_at_cwd, $0) }
      if both >= 0 { return Int(both) }
      return Int(unsafe path.withPointer { unsafe linux_open_read(linux_at_cwd, $0) })
    }
    return Descriptor(owning: Int32(number), name: shown.quoted)
  }

  /// Throws if the file was written, replaced or removed since it was locked, by whoever heeds no lock.
  ///
  /// - Throws: ``VaultFault/FaultKind/otherChange``.
  public func requireUnchanged() throws(Fault) {
    guard let change = try watch.change() else { return }
    throw Fault(.otherChange, "another change of \(what) came first: \(change)")
  }
}
