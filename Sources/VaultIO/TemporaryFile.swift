internal import CLinux
internal import Glibc
internal import VaultFault

/// How an ``AtomicFile`` begins: with no name where the file system can, else with one of ours.
enum TemporaryFile {
  /// What every temporary name begins with; the rest is 16 hex digits.
  static let prefix = ".vault-tmp-"

  /// A name that nobody else has.
  static func name() throws(Fault) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return try Array(prefix.utf8)
      + Entropy.bytes(8).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  static func begin(
    in directory: borrowing Directory, for path: Path, permissions: UInt32, unnamed: Bool,
    name: [UInt8]
  ) throws(Fault) -> (number: Int32, name: [UInt8]?) {
    let at = directory.descriptor.number
    if unnamed {
      let number = linux_open_unnamed(at, permissions)
      if number >= 0 && canBeNamed(number) { return (number, nil) }
      if number >= 0 { _ = linux_close(number) }
    }
    let number = try require(.cannotCreate, "cannot create \(path.quoted)") {
      unsafe Int(withCString(name) { unsafe linux_open_new(at, $0, permissions) })
    }
    return (Int32(number), name)
  }

  // Naming goes through /proc on the kernels that do not do it by descriptor alone. That it is
  // not mounted must be known now: at the end there would be no other way.
  private static func canBeNamed(_ number: Int32) -> Bool {
    var own = linux_status()
    let path = Path("/proc/self/fd/\(number)")
    let result = unsafe path.withPointer { unsafe linux_status_at(linux_at_cwd, $0, &own) }
    let file = Descriptor(borrowing: number, name: "")
    return result == 0 && file.identity == FileIdentity(device: own.device, inode: own.inode)
  }
}
