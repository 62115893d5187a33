internal import CLinux
internal import VaultFault

/// Names that stand for a descriptor of this process: `/dev/stdin`, `/dev/fd/3`, what a shell writes
/// for `<(…)`.
///
/// They are told by their form, so that they also work where /proc is not mounted, and by where their
/// links lead.
public enum DescriptorName {
  private static let words: [[UInt8]: Int32] = [
    Array("/dev/stdin".utf8): 0, Array("/dev/stdout".utf8): 1, Array("/dev/stderr".utf8): 2,
  ]
  private static let folders = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"]

  /// The descriptor that `path` stands for; nil for the name of a file.
  public static func number(of path: Path) -> Int32? {
    var path = path
    for _ in 0...SymbolicLink.most {
      if let number = direct(path) { return number }
      guard let next = SymbolicLink.target(of: path) else { return nil }
      path = next
    }
    return nil
  }

  // Without a look at a link of `path` itself, which would lead away from the descriptor.
  private static func direct(_ path: Path) -> Int32? {
    if let number = words[path.bytes] { return number }
    guard let number = decimal(path.name) else { return nil }
    let parent = path.parent
    let own = folders.map { Path($0) } + [Path("/proc/\(linux_process())/fd")]
    if own.contains(parent) { return number }
    guard let folder = File.identity(parent) else { return nil }
    return own.contains { File.identity($0) == folder } ? number : nil
  }

  private static func decimal(_ name: [UInt8]) -> Int32? {
    guard !name.isEmpty, name.count < 8, name.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return name.reduce(0) { $0 * 10 + Int32($1 - 0x30) }
  }
}

/// Links that lead to another name.
enum SymbolicLink {
  /// The most that are followed, as the kernel does.
  static let most = 40

  /// Where `path` leads if it is a link, from where `path` stands; nil if it is none.
  static func target(of path: Path) -> Path? {
    var text = [CChar](repeating: 0, count: 4_096)
    let length = unsafe text.withUnsafeMutableBufferPointer { out in
      guard let base = out.baseAddress else { return 0 }
      let count = out.count
      return unsafe path.withPointer { unsafe linux_read_link($0, base, count) }
    }
    guard length > 0, length < text.count else { return nil }
    let next = text[..<length].map { UInt8(bitPattern: $0) }
    if next.first == slash { return Path(bytes: next) }
    let parent = path.parent.bytes
    return Path(bytes: (parent == [slash] ? [] : parent) + [slash] + next)
  }

  private static let slash = UInt8(ascii: "/")

  /// Throws where the kernel would not follow `link` itself (fs.protected_symlinks): a stranger's
  /// link in a directory that all may write to, such as /tmp, decides nothing.
  static func requireTrusted(_ link: Path) throws(Fault) {
    var folder = linux_status()
    var owner: UInt32 = 0
    let parent = unsafe link.parent.withPointer {
      unsafe linux_status_at(linux_at_cwd, $0, &folder)
    }
    let own = unsafe link.withPointer { unsafe linux_link_owner($0, &owner) }
    let isShared = folder.mode & 0o1002 == 0o1002
    let isTrusted = !isShared || owner == linux_effective_user() || owner == folder.owner
    if parent == 0 && own == 0 && isTrusted { return }
    throw Fault(
      .cannotCreate, "cannot follow \(link.quoted): it is another user's link in a shared directory"
    )
  }
}
