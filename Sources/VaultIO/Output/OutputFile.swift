internal import CLinux
public import VaultFault

/// An output that an option names: a file that appears when it is whole, or a descriptor, a device or
/// a FIFO that is written through.
public struct OutputFile: ~Copyable {
  private var file: AtomicFile?
  private let through: Descriptor?
  private let number: Int32
  private let name: String

  /// Opens what `path` leads to (``OutputTarget``), before the doors are shut.
  ///
  /// - Parameter mode: what is done with a regular file that is there.
  /// - Throws: ``VaultFault/FaultKind/exists``, ``VaultFault/FaultKind/cannotCreate``.
  public init(_ path: Path, mode: AtomicFile.Mode) throws(Fault) {
    switch try OutputTarget(path) {
    case .file(let end, _):
      self.init(try AtomicFile(end, mode: mode, shownAs: path))
    case .descriptor(let number):
      self.init(
        Descriptor(borrowing: number, name: number == 1 ? "standard output" : path.quoted))
    case .node(let end):
      self.init(try OutputFile.open(end, shownAs: path))
    }
  }

  private init(_ file: consuming AtomicFile) {
    number = file.descriptor.number
    name = file.descriptor.name
    directories = [file.directory.descriptor.number]
    self.file = consume file
    through = nil
  }

  private init(_ through: consuming Descriptor) {
    number = through.number
    name = through.name
    directories = []
    file = nil
    self.through = consume through
  }

  private static func open(_ node: Path, shownAs path: Path) throws(Fault) -> Descriptor {
    let number = try require(.cannotCreate, "cannot open \(path.quoted)") {
      unsafe Int(node.withPointer { unsafe linux_open_device($0) })
    }
    return Descriptor(owning: Int32(number), name: path.quoted)
  }

  /// Where the bytes go; valid until ``commit()``.
  public var descriptor: Descriptor { Descriptor(borrowing: number, name: name) }

  /// What a sandbox must leave reachable for ``commit()``.
  public let directories: [Int32]

  /// Whether what was written can be read back, and nothing is seen of it before ``commit()``.
  public var isHidden: Bool { !directories.isEmpty }

  /// Names a file; what was written through is out already.
  ///
  /// - Throws: as ``AtomicFile/commit()``.
  public consuming func commit() throws(Fault) { try file.take()?.commit() }
}
