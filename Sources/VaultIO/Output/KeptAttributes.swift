internal import CLinux
internal import Glibc
internal import VaultFault

/// Owner, group, mode and access list of a file, for the one that takes its place.
///
/// What may not be kept is not widened: where the group cannot be the old one it gets no right. Set-id
/// and sticky bits are not kept.
struct KeptAttributes {
  private let mode: UInt32

  /// Gives `new` owner, group and access list of the file that `name` leads to; the rights come
  /// with ``apply(to:)``, when the content may be seen. Nil if no regular file is there.
  init?(
    of name: [UInt8], in directory: borrowing Directory, to new: borrowing Descriptor
  ) {
    guard let status = directory.status(name), FileKind(mode: status.mode) == .regular,
      let own = new.status
    else { return nil }
    let unchanged = UInt32.max
    var mode = status.mode & 0o777
    if status.group != own.group, linux_set_owner(new.number, unchanged, status.group) < 0 {
      mode &= ~0o070
    }
    // After a change of the owner only root may do the rest, and then it is root that changed it.
    if !KeptAttributes.copyAccessList(of: name, in: directory, to: new) { mode &= ~0o070 }
    if status.owner != own.owner { _ = linux_set_owner(new.number, status.owner, unchanged) }
    _ = linux_set_mode(new.number, mode & 0o600)
    self.mode = mode
  }

  private static func copyAccessList(
    of name: [UInt8], in directory: borrowing Directory, to new: borrowing Descriptor
  ) -> Bool {
    do throws(Fault) {
      let old = try directory.open(name)
      return linux_copy_access_list(old.number, new.number) >= 0
    } catch { return false }
  }

  /// Gives `new` the rights.
  func apply(to new: borrowing Descriptor) throws(Fault) {
    _ = try require(.writeFailed, "cannot set the mode of \(new.name)") {
      Int(linux_set_mode(new.number, mode))
    }
  }
}
