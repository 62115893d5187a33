internal import CLinux
internal import Glibc
public import VaultFault

/// What the name of an output leads to, and so how it is written: one rule for all tools and options
/// (docs/DESIGN.md, outputs).
///
/// Look before the doors are shut: links are followed by name.
public enum OutputTarget: Equatable, Sendable {
  /// A descriptor of this process (`-`, `/dev/stdout`, `/dev/fd/3`): written through.
  case descriptor(Int32)
  /// A device or a FIFO: opened and written through, never replaced.
  case node(Path)
  /// A regular file, or none yet, at this name, where the last link ended.
  case file(Path, exists: Bool)

  /// Looks where `path` leads. `-` is standard output.
  ///
  /// - Throws: ``VaultFault/FaultKind/cannotCreate`` for a directory, a socket that has a name, and what
  ///   cannot be reached, with the system's reason.
  public init(_ path: Path) throws(Fault) {
    if path.isDash {
      self = .descriptor(1)
      return
    }
    if let number = DescriptorName.number(of: path) {
      self = .descriptor(number)
      return
    }
    try self.init(file: path)
  }

  private init(file path: Path) throws(Fault) {
    var end = path
    var links = 0
    while let next = SymbolicLink.target(of: end) {
      try SymbolicLink.requireTrusted(end)
      links += 1
      if links > SymbolicLink.most { throw OutputTarget.unable(path, ELOOP) }
      end = next
    }
    var status = linux_status()
    let result = unsafe end.withPointer { unsafe linux_status_at(linux_at_cwd, $0, &status) }
    if result == -ENOENT {
      self = .file(end, exists: false)
      return
    }
    if result < 0 { throw OutputTarget.unable(path, -result) }
    switch FileKind(mode: status.mode) {
    case .regular: self = .file(end, exists: true)
    case .directory: throw OutputTarget.unable(path, EISDIR)
    case .socket: throw OutputTarget.unable(path, ENXIO)
    default: self = .node(end)
    }
  }

  private static func unable(_ path: Path, _ error: Int32) -> Fault {
    Fault(.cannotCreate, "cannot write \(path.quoted): \(systemReason(error))")
  }
}

extension Path {
  /// `-`: standard input, or standard output where an output is named.
  public var isDash: Bool { bytes == [UInt8(ascii: "-")] }
}
