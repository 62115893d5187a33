internal import CLinux
public import VaultFault

/// Descriptors 0, 1 and 2, which a caller may have closed.
public enum StandardDescriptors {
  /// Opens whichever of them is closed in the direction that fails, so that no later file lands
  /// there, and a read or write on it is an error instead of silence. Call first.
  ///
  /// - Throws: ``VaultFault/FaultKind/internalFault`` if that is not possible.
  public static func secure() throws(Fault) {
    for number: Int32 in 0...2 where linux_is_open(number) == 0 {
      let opened = open(writing: number == 0)
      if opened == number { continue }
      let moved = opened < 0 ? opened : linux_replace(opened, number)
      if opened >= 0 { _ = linux_close(opened) }
      if moved < 0 {
        throw Fault(.internalFault, "cannot secure descriptor \(number): \(systemReason(-moved))")
      }
    }
  }

  // Without /dev (a bare chroot) a bare handle of the root directory fails as well.
  private static func open(writing: Bool) -> Int32 {
    let path: Path = "/dev/null"
    let null = unsafe path.withPointer {
      writing ? unsafe linux_open_only_write($0) : unsafe linux_open_read(linux_at_cwd, $0)
    }
    let root: Path = "/"
    return null >= 0 ? null : unsafe root.withPointer { unsafe linux_open_path(linux_at_cwd, $0) }
  }
}
