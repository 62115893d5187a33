internal import CLinux
internal import Glibc
public import VaultFault

/// What a descriptor or a path leads to.
public enum FileKind: Sendable {
  case regular, directory, pipe, socket, characterDevice, blockDevice, other
}

/// Which file it is, whatever its names: equal only for the same one.
public struct FileIdentity: Equatable, Hashable, Sendable {
  /// The device that holds it.
  public let device: UInt64
  /// Its number there.
  public let inode: UInt64
}

extension Descriptor {
  /// What this leads to; `other` when the system does not say.
  public var kind: FileKind { status.map { FileKind(mode: $0.mode) } ?? .other }

  /// The length in bytes of a regular file; nil for all else.
  public var size: UInt64? {
    guard let status, FileKind(mode: status.mode) == .regular else { return nil }
    return status.size
  }

  /// The bytes of a regular file from its present position; nil for all else.
  public var remaining: UInt64? {
    guard let size, let offset = UInt64(exactly: linux_offset(number)) else { return nil }
    return size > offset ? size - offset : 0
  }

  /// Which file this is, so that an input can be refused as output; nil when it is closed.
  public var identity: FileIdentity? {
    status.map { FileIdentity(device: $0.device, inode: $0.inode) }
  }

  /// The lower 12 bits of the mode: rights, set-id and sticky bits.
  public var permissions: UInt32? { status.map { $0.mode & 0o7777 } }

  /// Whether a person is at the other end.
  public var isTerminal: Bool { linux_is_terminal(number) != 0 }

  /// Whether this is a pipe or a socket that nobody reads any more.
  public var isAbandoned: Bool { linux_poll(number, 0, 0) & Int32(POLLERR) != 0 }

  /// Whether this is a pipe or a socket: what another process writes while it is read.
  public var isStream: Bool { kind == .pipe || kind == .socket }

  /// Asks for a pipe of 1 MiB, and takes what it gets.
  public func widenPipe() { _ = linux_widen_pipe(number, 1 << 20) }

  /// Puts what was written on stable storage. A pipe or terminal has none: nothing happens.
  ///
  /// - Throws: ``VaultFault/FaultKind/writeFailed``.
  public func sync() throws(Fault) {
    let result = try retrying(heedingSignals: false) { Int(linux_sync(number)) }
    if result < 0 && result != -Int(EINVAL) && result != -Int(EROFS) {
      throw Fault(.writeFailed, "cannot sync \(name): \(systemReason(Int32(-result)))")
    }
  }

  /// Asks the system to begin to write this range to the disk, so that ``sync()`` has less to wait for.
  ///
  /// Promises nothing: what goes wrong is said by ``sync()``.
  public func beginSync(from offset: UInt64, count: UInt64) {
    linux_begin_sync(number, offset, count)
  }

  /// Locks the file against other processes until it is closed; shared, or for one alone.
  ///
  /// - Throws: ``VaultFault/FaultKind/writeFailed`` at once when another has it locked.
  public func lock(exclusively: Bool) throws(Fault) {
    _ = try require(.writeFailed, "cannot lock \(name)") {
      Int(linux_lock(number, exclusively ? 1 : 0))
    }
  }

  /// Moves to `offset`, for regular files.
  ///
  /// - Throws: ``VaultFault/FaultKind/readFailed``.
  public func seek(to offset: UInt64) throws(Fault) {
    _ = try require(.readFailed, "cannot seek in \(name)") {
      Int(linux_seek(number, offset))
    }
  }

  /// Cuts a regular file to `size` bytes.
  ///
  /// - Throws: ``VaultFault/FaultKind/writeFailed``.
  public func truncate(to size: UInt64) throws(Fault) {
    _ = try require(.writeFailed, "cannot cut \(name)") { Int(linux_truncate(number, size)) }
  }

  var status: linux_status? {
    var status = linux_status()
    return unsafe linux_status(number, &status) == 0 ? status : nil
  }
}

extension FileKind {
  init(mode: UInt32) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      case S_IFCHR: .characterDevice
      case S_IFBLK: .blockDevice
      default: .other
      }
  }
}
