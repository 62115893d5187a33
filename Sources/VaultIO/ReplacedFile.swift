internal import CLinux
internal import Glibc
public import VaultFault

extension Directory {
  /// Makes the levels of a path that lie below `root`, as the umask allows; a directory whose group goes
  /// on to what is made in it (set-group-id) gives it on. Each is synced into its parent.
  ///
  /// - Throws: ``VaultFault/FaultKind/cannotCreate``, also when `root` itself is not there.
  public static func make(_ path: Path, below root: Path) throws(Fault) {
    if File.kind(path) == .directory { return }
    guard File.kind(root) == .directory, path.parent != path,
      path.bytes.count > root.bytes.count || root == "."
    else {
      throw Fault(.cannotCreate, "directory \(root.quoted) is missing")
    }
    try make(path.parent, below: root)
    let result = unsafe path.withPointer { unsafe linux_make_directory(linux_at_cwd, $0, 0o777) }
    if result == -EEXIST { return }
    if result < 0 {
      throw Fault(
        .cannotCreate, "cannot create directory \(path.quoted): \(systemReason(-result))")
    }
    try Directory(parentOf: path).sync()
  }
}

extension Path {
  /// Where it ends, when its last component is a symbolic link; itself when nothing is there.
  ///
  /// - Throws: ``VaultFault/FaultKind/cannotCreate`` for what can be no name: too long a one, a circle of
  ///   links.
  public func followed() throws(Fault) -> Path {
    var out = [CChar](repeating: 0, count: Int(PATH_MAX))
    let result = unsafe withPointer { path in
      unsafe out.withUnsafeMutableBufferPointer { buffer in
        guard let room = buffer.baseAddress else { return -EINVAL }
        return unsafe linux_follow(path, room)
      }
    }
    switch result {
    case 0: return Path(bytes: out.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    case -ENOENT, -EACCES: return self
    case let error:
      throw Fault(.cannotCreate, "cannot create \(quoted): \(systemReason(-error))")
    }
  }
}
