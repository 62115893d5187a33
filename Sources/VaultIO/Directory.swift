internal import CLinux
internal import Glibc
public import VaultFault

/// An open directory, in which names are made, moved and removed whatever happens to its path.
public struct Directory: ~Copyable {
  /// Its descriptor; `number` is what a sandbox is told.
  public let descriptor: Descriptor
  /// The path it was opened by, for messages.
  public let path: Path

  /// Opens a directory.
  ///
  /// - Throws: ``VaultFault/FaultKind/cannotCreate``, since it is opened to put something in.
  public init(_ path: Path) throws(Fault) {
    let number = try require(.cannotCreate, "cannot open directory \(path.quoted)") {
      unsafe Int(path.withPointer { unsafe linux_open_directory(linux_at_cwd, $0) })
    }
    self.path = path
    descriptor = Descriptor(owning: Int32(number), name: path.quoted)
  }

  /// Opens the directory that holds `path`'s last component.
  ///
  /// - Parameter creating: makes what is missing of it, mode 0700, each synced into its parent.
  /// - Throws: ``VaultFault/FaultKind/cannotCreate``.
  public init(parentOf path: Path, creating: Bool = false) throws(Fault) {
    if creating { try Directory.make(path.parent) }
    try self.init(path.parent)
  }

  /// Makes a directory and what is missing above it, mode 0700, each synced into its parent.
  ///
  /// - Throws: ``VaultFault/FaultKind/cannotCreate``.
  public static func make(_ path: Path) throws(Fault) {
    if File.kind(path) == .directory { return }
    if path.parent != path { try make(path.parent) }
    let result = unsafe path.withPointer { unsafe linux_make_directory(linux_at_cwd, $0, 0o700) }
    if result == -EEXIST { return }
    if result < 0 {
      throw Fault(
        .cannotCreate, "cannot create directory \(path.quoted): \(systemReason(-result))")
    }
    try Directory(parentOf: path).sync()
  }

  /// Puts the names on stable storage.
  ///
  /// - Throws: ``VaultFault/FaultKind/writeFailed``.
  public func sync() throws(Fault) { try descriptor.sync() }

  /// Whether the name leads to anything.
  public func contains(_ name: [UInt8]) -> Bool { identity(name) != nil }

  /// Which file the name leads to now; nil if none.
  public func identity(_ name: [UInt8]) -> FileIdentity? {
    status(name).map { FileIdentity(device: $0.device, inode: $0.inode) }
  }

  /// Which file the name leads to now; nil only if none is there for sure.
  ///
  /// - Throws: ``VaultFault/FaultKind/readFailed`` if that cannot be told.
  public func look(_ name: [UInt8]) throws(Fault) -> FileIdentity? {
    var status = linux_status()
    let result = unsafe withCString(name) {
      unsafe linux_status_at(descriptor.number, $0, &status)
    }
    if result == -ENOENT { return nil }
    _ = try require(.readFailed, "cannot look at \(quoted(utf8: name))") { Int(result) }
    return FileIdentity(device: status.device, inode: status.inode)
  }

  func status(_ name: [UInt8]) -> linux_status? {
    var status = linux_status()
    let result = unsafe withCString(name) {
      unsafe linux_status_at(descriptor.number, $0, &status)
    }
    return result < 0 ? nil : status
  }

  /// Removes a name; that it is not there is no fault.
  ///
  /// - Returns: whether it was there.
  /// - Throws: ``VaultFault/FaultKind/writeFailed``.
  public func remove(_ name: [UInt8]) throws(Fault) -> Bool {
    let result = unsafe withCString(name) { unsafe linux_unlink(descriptor.number, $0) }
    if result == -ENOENT { return false }
    if result == 0 { return true }
    throw Fault(.writeFailed, "cannot remove \(quoted(utf8: name)): \(systemReason(-result))")
  }

  /// Removes a name if it leads to that file. Another file that took the name is put back.
  ///
  /// - Returns: whether it was that file.
  /// - Throws: ``VaultFault/FaultKind/writeFailed``; it says so if another file could not be put back,
  ///   and under which name it lies then.
  public func remove(_ name: [UInt8], ifItIs file: FileIdentity) throws(Fault) -> Bool {
    let aside = name.prefix(200) + Array(".vault-drop-\(Clock.monotonic())".utf8)
    try rename(name, to: Array(aside))
    if identity(Array(aside)) == file { return try remove(Array(aside)) }
    try rename(Array(aside), to: name)
    return false
  }

  private func rename(_ from: [UInt8], to name: [UInt8]) throws(Fault) {
    let result = unsafe withCString(from) { from in
      unsafe withCString(name) { unsafe linux_rename_new(descriptor.number, from, $0) }
    }
    if result >= 0 { return }
    throw Fault(
      .writeFailed,
      "cannot rename \(quoted(utf8: from)) to \(quoted(utf8: name)): \(systemReason(-result))")
  }

  /// Opens a file in it for reading.
  ///
  /// - Throws: ``VaultFault/FaultKind/readFailed``.
  public func open(_ name: [UInt8]) throws(Fault) -> Descriptor {
    let number = try require(.readFailed, "cannot open \(quoted(utf8: name))") {
      unsafe Int(withCString(name) { unsafe linux_open_read(descriptor.number, $0) })
    }
    return Descriptor(owning: Int32(number), name: quoted(utf8: name))
  }
}
