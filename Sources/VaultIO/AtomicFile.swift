internal import CLinux
internal import Glibc
public import VaultFault

/// A file that appears under its name only when it is whole and on stable storage.
///
/// Written through ``descriptor``, which can also be read back. ``commit()`` gives it its name;
/// without that nothing is left. All names are relative to a directory opened at the start, so it
/// works after the path has become unreachable, also by our own sandbox.
public struct AtomicFile: ~Copyable {
  /// What happens to a file that has the name already.
  public enum Mode: Sendable {
    /// It stays, and ``AtomicFile/commit()`` fails.
    case create
    /// It is replaced in one step; owner, group, mode and access list stay where they may.
    case replace
  }

  /// The ways in which a file can be kept out of sight and then named, best first.
  public enum Way: CaseIterable, Sendable {
    /// It has no name at all until then.
    case unnamed
    /// A temporary name, moved without replacing.
    case moved
    /// A temporary name, linked and removed.
    case linked
  }

  /// Where the bytes go; heeds signals.
  public let descriptor: Descriptor
  /// The directory it appears in.
  public let directory: Directory
  private let path: Path
  private let shown: Path
  private let mode: Mode
  private let ways: [Way]
  private let nameToUse: [UInt8]
  private let kept: KeptAttributes?
  private var temporaryName: [UInt8]?

  /// Begins a file that ``commit()`` will name `path`.
  ///
  /// - Parameters:
  ///   - permissions: of a new file, from its first moment, less the umask.
  ///   - creatingParents: makes missing directories, mode 0700.
  ///   - ways: the ones that may be tried, for tests of each.
  ///   - hiddenName: the temporary name to use if one is needed (``hiddenName(token:)``), so that it is
  ///     known whatever happens; else a random one.
  ///   - shown: what messages call it, where a link has led here.
  /// - Throws: ``VaultFault/FaultKind/exists`` at once for `.create` if the name is taken;
  ///   ``VaultFault/FaultKind/cannotCreate``.
  public init(
    _ path: Path, mode: Mode = .create, permissions: UInt32 = 0o600,
    creatingParents: Bool = false, ways: [Way] = Way.allCases, hiddenName: [UInt8]? = nil,
    shownAs shown: Path? = nil
  ) throws(Fault) {
    let shown = shown ?? path
    if path.name.isEmpty || path.name == [46] || path.name == [46, 46] {
      throw Fault(.cannotCreate, "cannot create \(shown.quoted): it does not end in a file name")
    }
    let directory = try Directory(parentOf: path, creating: creatingParents)
    if mode == .create && directory.contains(path.name) { throw AtomicFile.taken(shown) }
    let nameToUse = if let hiddenName { hiddenName } else { try TemporaryFile.name() }
    let begun = try TemporaryFile.begin(
      in: directory, for: shown, permissions: permissions, unnamed: ways.contains(.unnamed),
      name: nameToUse)
    let descriptor = Descriptor(owning: begun.number, name: shown.quoted)
    kept =
      mode == .replace ? KeptAttributes(of: path.name, in: directory, to: descriptor) : nil
    self.descriptor = descriptor
    temporaryName = begun.name
    self.directory = directory
    self.path = path
    self.shown = shown
    self.mode = mode
    self.ways = ways
    self.nameToUse = nameToUse
  }

  /// Its temporary name in ``directory``, where the file system needs one.
  public var hiddenName: [UInt8]? { temporaryName }

  /// The temporary name that belongs to a token of at least 16 hex digits.
  public static func hiddenName(token: String) -> [UInt8] {
    Array(TemporaryFile.prefix.utf8) + token.utf8.prefix(16)
  }

  /// Whether a name is one that these files have before ``commit()``: what a crash may leave behind.
  public static func isHidden(_ name: [UInt8]) -> Bool {
    name.starts(with: Array(TemporaryFile.prefix.utf8))
  }

  deinit {
    if let temporaryName { _ = try? directory.remove(temporaryName) }
  }

  /// Puts the bytes on stable storage, gives the file its name, and puts that there too.
  ///
  /// - Throws: ``VaultFault/FaultKind/exists``; ``VaultFault/FaultKind/cannotCreate`` where the name is
  ///   at fault; ``VaultFault/FaultKind/writeFailed``, also when the file system has no way to name a
  ///   file without replacing another, and when the name is there and may not last.
  public consuming func commit() throws(Fault) {
    try kept?.apply(to: descriptor)
    try descriptor.sync()
    let result = mode == .create ? nameNew() : nameReplacing()
    if result == -EEXIST { throw AtomicFile.taken(shown) }
    if result < 0 { throw unable(result) }
    do throws(Fault) { try directory.sync() } catch {
      throw Fault(
        .writeFailed,
        "\(shown.quoted) is written whole, but may not survive a power cut: \(error.reason)",
        hint: "the file is there: run sync, or copy it to a file system that works")
    }
  }

  private mutating func nameNew() -> Int32 {
    guard let temporary = temporaryName else { return link(to: path.name) }
    let at = directory.descriptor.number
    var result = -ENOTSUP
    if ways.contains(.moved) {
      result = unsafe withTwo(temporary, path.name) { unsafe linux_rename_new(at, $0, $1) }
      if result == 0 { temporaryName = nil }
    }
    if ways.contains(.linked) && AtomicFile.isUnsupported(result) {
      result = unsafe withTwo(temporary, path.name) { unsafe linux_link(at, $0, $1) }
      if result == 0, (try? directory.remove(temporary)) != nil { temporaryName = nil }
    }
    return result
  }

  private mutating func nameReplacing() -> Int32 {
    let at = directory.descriptor.number
    if temporaryName == nil {
      let result = link(to: nameToUse)
      if result < 0 { return result }
      temporaryName = nameToUse
    }
    guard let temporary = temporaryName else { return -EIO }
    let result = unsafe withTwo(temporary, path.name) { unsafe linux_rename(at, $0, $1) }
    if result == 0 { temporaryName = nil }
    return result
  }

  private func link(to name: [UInt8]) -> Int32 {
    unsafe withCString(name) {
      unsafe linux_link_descriptor(descriptor.number, directory.descriptor.number, $0)
    }
  }

  private static func isUnsupported(_ result: Int32) -> Bool {
    [-EINVAL, -ENOSYS, -ENOTSUP, -EPERM].contains(result)
  }

  private static func taken(_ path: Path) -> Fault {
    Fault(.exists, "cannot create \(path.quoted): it exists already")
  }

  private func unable(_ result: Int32) -> Fault {
    var reason = systemReason(-result)
    if mode == .create && AtomicFile.isUnsupported(result) {
      let type = String(linux_file_system(directory.descriptor.number), radix: 16)
      reason =
        "its file system (type 0x\(type)) can name no file without replacing another: " + reason
    }
    let kind = isFaultOfName(-result) ? FaultKind.cannotCreate : .writeFailed
    return Fault(kind, "cannot create \(shown.quoted): \(reason)")
  }
}

private func withTwo(
  _ one: [UInt8], _ two: [UInt8], _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
) -> Int32 {
  unsafe withCString(one) { first in
    unsafe withCString(two) { second in unsafe body(first, second) }
  }
}
