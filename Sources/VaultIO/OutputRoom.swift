internal import CLinux
internal import Glibc
public import VaultFault

/// Finds out whether an output takes more bytes, before what they are about is done.
///
/// What no call tells: that a reader will go away, that a disk will break, what another writer of the
/// same file takes.
public struct OutputRoom: ~Copyable, Sendable {
  private let file: Descriptor
  // How far the file system has set room aside.
  private var secured: UInt64 = 0

  private static let block: UInt64 = 4_096

  /// Of a file that its owner keeps open.
  public init(of file: borrowing Descriptor) {
    self.file = Descriptor(borrowing: file.number, name: file.name)
  }

  /// Throws what a write of `count` bytes would run into.
  ///
  /// Of a regular file, room is set aside on its disk: behind its end, where it is used up by the bytes
  /// that come. A file system that cannot is asked how much is free.
  /// - Throws: ``VaultFault/FaultKind/writeFailed`` in the words that a write would have.
  public mutating func require(_ count: UInt64) throws(Fault) {
    guard linux_is_writable(file.number) != 0 else { throw failed(EBADF) }
    switch file.kind {
    case .regular: try reserve(count)
    case .characterDevice where !file.isTerminal:
      // A full device says so to a write of no bytes.
      let result = linux_write_nothing(file.number)
      if result < 0, result != -EAGAIN, result != -EINTR { throw failed(-result) }
    default:
      let hangup = linux_poll(file.number, 0, 0) & Int32(POLLERR | POLLHUP)
      if hangup != 0 { throw failed(EPIPE) }
    }
  }

  private mutating func reserve(_ count: UInt64) throws(Fault) {
    guard let place = file.nextPlace else { throw failed(EBADF) }
    let stop = place + count
    if stop > linux_file_limit() { throw failed(EFBIG) }
    guard stop > secured else { return }
    let whole = (stop + OutputRoom.block - 1) / OutputRoom.block * OutputRoom.block
    let result = try retrying(heedingSignals: false) {
      Int(linux_reserve(file.number, place, whole - place))
    }
    switch Int32(-result) {
    case 0: secured = whole
    case EOPNOTSUPP, ENOSYS, EINVAL, EPERM, ENODEV, ESPIPE:
      if linux_room(file.number) < count { throw failed(ENOSPC) }
    case let error: throw failed(error)
    }
  }

  private func failed(_ error: Int32) -> Fault {
    Fault(.writeFailed, "cannot write \(file.name): \(systemReason(error))")
  }
}
