internal import CLinux
internal import Glibc
public import VaultFault

/// Files that hold keys and passwords.
public enum SecretFile {
  /// Opens one for reading. A regular file that its group or others can read, or put their own key
  /// into, is refused; pipes and the like (`/dev/fd/3`) have no such rights and pass.
  ///
  /// - Throws: ``VaultFault/FaultKind/badKeyFile``.
  public static func open(
    _ path: Path, insecurePermissions: Bool = false
  ) throws(Fault) -> Descriptor {
    let file = try File.openNamed(path, orFail: .badKeyFile)
    if file.kind == .directory {
      throw Fault(.badKeyFile, "cannot read \(path.quoted): is a directory")
    }
    let open = (file.permissions ?? 0) & 0o066
    if file.kind == .regular && open != 0 && !insecurePermissions {
      let what = open & 0o044 != 0 ? "read" : "changed"
      throw Fault(
        .badKeyFile, "\(file.name) can be \(what) by its group or by others",
        hint: SecretFile.remedy(for: file, path))
    }
    return file
  }

  // Containers mount secrets read-only, or as root's: a chmod cannot be done there.
  private static func remedy(for file: borrowing Descriptor, _ path: Path) -> String {
    let user = linux_effective_user()
    let may = user == 0 || file.status?.owner == user
    if may && linux_is_read_only(file.number) == 0 { return "chmod 600 \(path.quoted)" }
    return "mount it with mode 0400 (defaultMode of a Kubernetes volume), "
      + "or give --insecure-permissions if nobody else can reach it"
  }

  /// Reads the whole of `file` into `buffer` and leaves no copy elsewhere.
  ///
  /// - Returns: the bytes read.
  /// - Throws: ``VaultFault/FaultKind/badKeyFile`` if it cannot be read or has more than
  ///   `buffer.count - 1` bytes: one is needed to see the end.
  public static func read(
    _ file: borrowing Descriptor, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Fault) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count: Int
      do throws(Fault) { count = unsafe try file.read(into: rest) } catch {
        throw error.kind == .cancelled ? error : Fault(.badKeyFile, error.reason)
      }
      if count == 0 { return filled }
      filled += count
    }
    throw Fault(.badKeyFile, "\(file.name) has more than \(buffer.count - 1) bytes")
  }
}
