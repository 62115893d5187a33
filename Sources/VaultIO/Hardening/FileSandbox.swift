internal import CLinux
internal import Glibc
internal import VaultFault

/// The files a tool can still reach by name (Landlock).
enum FileSandbox {
  // What the resolver, TLS and the C library read when they need it. Links among them lead to
  // places that are listed too.
  private static let systemPaths: [Path] = [
    "/etc", "/usr/lib", "/lib", "/lib64", "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates",
    "/usr/share/zoneinfo", "/var/lib/ca-certificates", "/run/systemd/resolve", "/run/resolvconf",
    "/run/NetworkManager", "/run/nscd", "/dev/null", "/dev/urandom", "/dev/random", "/proc/self",
  ]

  // Throws `no-resources`: without a descriptor a path would only seem to be out of reach.
  static func enter(_ confinement: Hardening.Confinement) throws(Fault) -> Bool {
    let version = linux_sandbox_version()
    guard version > 0 else { return false }
    let rules = begin(confinement, version)
    if rules == -EMFILE { throw exhausted }
    guard rules >= 0 else { return false }
    defer { _ = linux_close(rules) }
    var allowed = true
    switch confinement {
    case .keyTool(let directories, _):
      allowed = directories.allSatisfy { linux_sandbox_allow(rules, version, $0, 1) == 0 }
    case .networkTool(let reading, let writing):
      for path in systemPaths + reading where allowed {
        allowed = try allow(path, rules, version, writing: false)
      }
      for path in writing where allowed {
        allowed = try allow(path, rules, version, writing: true)
      }
    }
    return allowed && linux_sandbox_enter(rules) == 0
  }

  private static var exhausted: Fault {
    Fault(.noResources, "cannot enter the file sandbox: \(systemReason(EMFILE))")
  }

  // A child runs outside of the sandbox, and signals must still reach it.
  private static func begin(_ confinement: Hardening.Confinement, _ version: Int32) -> Int32 {
    switch confinement {
    case .keyTool(_, let child): linux_sandbox_begin(version, 1, child == nil ? 1 : 0)
    case .networkTool: linux_sandbox_begin(version, 0, 1)
    }
  }

  // A path to write that is not there yet will be made: the right goes to what will hold it. A
  // missing path to read needs no right.
  private static func allow(
    _ path: Path, _ rules: Int32, _ version: Int32, writing: Bool
  ) throws(Fault) -> Bool {
    let number = unsafe path.withPointer { unsafe linux_open_path(linux_at_cwd, $0) }
    if number == -EMFILE || number == -ENFILE { throw exhausted }
    if number < 0 && writing && path.parent != path {
      return try allow(path.parent, rules, version, writing: true)
    }
    if number < 0 { return true }
    defer { _ = linux_close(number) }
    return linux_sandbox_allow(rules, version, number, writing ? 1 : 0) == 0
  }
}
