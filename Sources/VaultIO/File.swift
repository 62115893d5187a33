internal import CLinux
internal import Glibc
public import VaultFault

/// Files that are read, and files that grow by whole lines.
public enum File {
  /// Opens for reading; a pipe's other end is waited for. A directory opens and fails when read.
  ///
  /// - Parameter kind: the fault if it cannot be opened.
  public static func open(
    _ path: Path, orFail kind: FaultKind = .readFailed
  ) throws(Fault) -> Descriptor {
    let number = try require(kind, "cannot open \(path.quoted)") {
      let opened = unsafe path.withPointer { unsafe linux_open_read(linux_at_cwd, $0) }
      return Int(opened < 0 ? reopened(path, opened) : opened)
    }
    return Descriptor(owning: Int32(number), name: path.quoted)
  }

  /// Opens what an option or operand names for reading: `-` is standard input.
  ///
  /// - Parameter kind: the fault if it cannot be opened.
  public static func openNamed(
    _ path: Path, orFail kind: FaultKind = .readFailed
  ) throws(Fault) -> Descriptor {
    path.isDash ? .standardInput() : try open(path, orFail: kind)
  }

  // A descriptor of ours that cannot be opened anew: /proc is not mounted, it is a socket, or a file
  // that only who gave it to us may open.
  private static func reopened(_ path: Path, _ failed: Int32) -> Int32 {
    guard [-ENOENT, -ENOTDIR, -ENXIO, -EACCES].contains(failed),
      let number = DescriptorName.number(of: path)
    else { return failed }
    return linux_duplicate(number)
  }

  /// Opens for reading and for adding at the end; made with `permissions` if it is not there.
  ///
  /// Each ``Descriptor/writeAll(_:)`` goes to the end as one piece. The file's descriptor heeds no
  /// signals: what goes there must be written even after one.
  /// - Throws: ``VaultFault/FaultKind/cannotCreate``.
  public static func openForAppending(
    _ path: Path, permissions: UInt32 = 0o600
  ) throws(Fault) -> Descriptor {
    let number = try require(.cannotCreate, "cannot open \(path.quoted)") {
      unsafe Int(path.withPointer { unsafe linux_open_append(linux_at_cwd, $0, permissions) })
    }
    var file = Descriptor(owning: Int32(number), name: path.quoted)
    file.heedsSignals = false
    return file
  }

  /// Opens a new file that has no name, for reading and writing; it is gone when it is closed.
  ///
  /// - Throws: ``VaultFault/FaultKind/cannotCreate``.
  public static func openUnnamed(in directory: Path) throws(Fault) -> Descriptor {
    let holder = try Directory(directory)
    let begun = try TemporaryFile.begin(
      in: holder, for: directory, permissions: 0o600, unnamed: true, name: TemporaryFile.name())
    let file = Descriptor(owning: begun.number, name: "temporary file in \(directory.quoted)")
    if let name = begun.name { _ = try holder.remove(name) }
    return file
  }

  /// Reads a whole file.
  ///
  /// - Throws: `kind` if it cannot be opened or read, or is longer than `limit` bytes.
  public static func read(
    _ path: Path, limit: Int, orFail kind: FaultKind = .readFailed
  ) throws(Fault) -> [UInt8] {
    let file = try open(path, orFail: kind)
    do throws(Fault) {
      return try file.readAll(limit: limit)
    } catch {
      if error.kind == .cancelled { throw error }
      throw Fault(kind, error.reason)
    }
  }

  /// The identity of what the path leads to now; nil if nothing is there.
  public static func identity(_ path: Path) -> FileIdentity? {
    status(path).map { FileIdentity(device: $0.device, inode: $0.inode) }
  }

  /// What the path leads to now; nil if nothing is there.
  public static func kind(_ path: Path) -> FileKind? {
    status(path).map { FileKind(mode: $0.mode) }
  }

  /// What the path leads to now; nil only if nothing is there for sure.
  ///
  /// - Throws: ``VaultFault/FaultKind/readFailed`` if that cannot be told.
  public static func look(_ path: Path) throws(Fault) -> (kind: FileKind, identity: FileIdentity)? {
    try look(path, passing: [-ENOENT, -ENOTDIR])
  }

  /// The same, but nil also for what cannot be reached by this name: whoever opens it is told why.
  static func lookIfReachable(
    _ path: Path
  ) throws(Fault) -> (kind: FileKind, identity: FileIdentity)? {
    try look(path, passing: [-ENOENT, -ENOTDIR, -EACCES, -ELOOP, -ENAMETOOLONG, -EINVAL])
  }

  private static func look(
    _ path: Path, passing passed: [Int32]
  ) throws(Fault) -> (kind: FileKind, identity: FileIdentity)? {
    var status = linux_status()
    let result = unsafe path.withPointer { unsafe linux_status_at(linux_at_cwd, $0, &status) }
    if passed.contains(result) { return nil }
    _ = try require(.readFailed, "cannot look at \(path.quoted)") { Int(result) }
    return (
      FileKind(mode: status.mode), FileIdentity(device: status.device, inode: status.inode)
    )
  }

  private static func status(_ path: Path) -> linux_status? {
    var status = linux_status()
    let result = unsafe path.withPointer { unsafe linux_status_at(linux_at_cwd, $0, &status) }
    return result == 0 ? status : nil
  }
}
