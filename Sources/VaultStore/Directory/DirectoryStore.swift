internal import Synchronization
public import VaultFault
public import VaultIO

/// Objects as files: the store that needs nothing but a file system.
///
/// Parts are written where they belong in one file that has no name (or a hidden one, where the file
/// system cannot do without); commit syncs it and gives it its name without replacing another, then
/// syncs the directory. Directories and objects have the mode that the umask leaves, and the group that
/// their directory gives on; what is replaced gives its own on. The token is not in the file:
/// ours is what has the device and inode that we have named; for the attempt of an earlier process,
/// which only a journal or a state file can name, it is what has an envelope with its item.
public final class DirectoryStore: Store {
  private let open = Mutex<[String: OpenFile]>([:])
  // What this process has begun and named, by token.
  private let attempts = Mutex<[String: Attempt]>([:])
  private let ways: [AtomicFile.Way]
  private let root: Path
  // Files of this very command, which are no objects, and what they are.
  private let own = Mutex<[FileIdentity: String]>([:])

  // How uploads are called whose file needs no hidden name, or only at the end.
  private static let unnamed = "unnamed:"
  // A smaller part is synced as soon as it is written.
  private static let worthASync: UInt64 = 1 << 20

  private enum Attempt { case begun, named(FileIdentity) }

  /// A store of files. Directories are made below `root`, which must be there: a disk that is not
  /// mounted must not be taken for an empty one.
  public convenience init(root: Path = "/") {
    self.init(ways: AtomicFile.Way.allCases, root: root)
  }

  // The ways in which files may be named, for tests of each.
  init(ways: [AtomicFile.Way], root: Path = "/") {
    self.ways = ways
    self.root = root
  }

  /// Throws `cannot-create` when the root is not there.
  public func requireRoot() throws(Fault) {
    if File.kind(root) == .directory { return }
    throw Fault(
      .cannotCreate, "cannot store below \(root.quoted): no such directory",
      hint: "is its disk mounted? a new one is made by mkdir -p, or by --make-directories")
  }

  /// From now on this file is never taken for an object; `what` it is: "the journal".
  public func protect(_ file: FileIdentity, as what: String) {
    own.withLock { $0[file] = what }
  }

  /// False: a write is not compared with anything.
  public var needsPartDigests: Bool { false }

  /// Device and inode of the working directory, for a relative path.
  public func home(of name: ObjectName) -> String? {
    guard name.key.utf8.first != UInt8(ascii: "/") else { return nil }
    return File.identity(".").map { "directory \($0.device):\($0.inode)" }
  }

  /// Writes the file and names it.
  public func putWhole(
    _ part: PartData, at name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> CommitAnswer {
    let upload: UploadName
    do throws(StoreFault) {
      upload = try begin(at: name, hints, stop: stop)
    } catch {
      if error.fault.kind == .exists { return .exists }
      throw error
    }
    do throws(StoreFault) {
      let receipt = try putPart(part, of: upload, hints, stop: stop)
      return try commit(upload, [receipt], hints, stop: stop)
    } catch {
      try abort(upload, stop: stop)
      throw error
    }
  }

  /// Opens a file out of sight in the directory of the name; throws `exists` when the name is taken.
  public func begin(
    at name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> UploadName {
    if stop.isRaised { throw .stopped }
    attempts.withLock { $0[hints.token] = .begun }
    let file = try permanently { () throws(Fault) in
      let path = try place(of: name, hints)
      return try OpenFile(
        path, mode: hints.overwrite ? .replace : .create, ways: ways, token: hints.token)
    }
    let upload = UploadName(object: name, id: file.hiddenPath ?? Self.unnamed + hints.token)
    open.withLock { $0[upload.id] = file }
    return upload
  }

  // Where the file will be, with the directories that hold it.
  private func place(of name: ObjectName, _ hints: ObjectHints) throws(Fault) -> Path {
    let path = Path(name.key)
    try Directory.make(path.parent, below: root == "/" && !path.isAbsolute ? "." : root)
    let followed = try path.followed()
    guard hints.overwrite else { return path }
    try requireReplaceable(followed, shown: path.quoted)
    return followed
  }

  private func requireReplaceable(_ path: Path, shown: String) throws(Fault) {
    if let kind = File.kind(path), kind != .regular {
      throw Fault(
        .cannotCreate, "cannot store \(shown): \(kind.words) is there",
        hint: "only a regular file is replaced")
    }
    guard let file = File.identity(path), let what = own.withLock({ $0[file] }) else { return }
    throw Fault(.cannotCreate, "cannot store \(shown): it is \(what) of this command")
  }

  /// Writes the part at its offset.
  public func putPart(
    _ part: PartData, of upload: UploadName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> PartReceipt {
    let file = try file(upload)
    try permanently { () throws(Fault) in try file.write(part, stop: stop) }
    if part.size >= Self.worthASync { file.beginSync(from: part.offset, count: part.size) }
    return PartReceipt(number: part.number, size: part.size, etag: "", sha256: part.sha256)
  }

  /// Names the file; throws `size-mismatch` if the parts do not fill it exactly.
  public func commit(
    _ upload: UploadName, _ parts: [PartReceipt], _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> CommitAnswer {
    if stop.isRaised { throw .stopped }
    let file = try file(upload)
    let size = parts.reduce(0) { $0 + $1.size }
    guard let identity = file.identity, file.size == size else {
      throw StoreFault(Fault(.sizeMismatch, "the parts do not fill the file that they were put in"))
    }
    attempts.withLock { $0[hints.token] = .named(identity) }
    do throws(Fault) {
      // What is there now may be another thing than at the beginning.
      if hints.overwrite {
        let path = Path(upload.object.key)
        try requireReplaceable(try path.followed(), shown: path.quoted)
      }
      try file.commit()
    } catch {
      return try answer(error, upload, identity)
    }
    open.withLock { $0[upload.id] = nil }
    return .stored(Landed(), hints.overwrite ? nil : .conditional)
  }

  // A sync can fail after the name is there: that the object will last is then not known.
  private func answer(
    _ fault: Fault, _ upload: UploadName, _ identity: FileIdentity
  ) throws(StoreFault) -> CommitAnswer {
    if fault.kind == .exists { return .exists }
    if File.identity(Path(upload.object.key)) == identity { return .unknown(fault) }
    throw StoreFault(fault)
  }

  /// Removes the file out of sight: this process' own, or one that a crash left under a hidden name.
  public func abort(_ upload: UploadName, stop: StopFlag) throws(StoreFault) {
    let file = open.withLock { $0.removeValue(forKey: upload.id) }
    file?.abandon()
    let token = upload.id.droppingPrefix(Self.unnamed)
    let hidden = token.map { Self.hiddenPath(upload.object, token: $0) } ?? Path(upload.id)
    guard hidden.parent == Path(upload.object.key).parent, AtomicFile.isHidden(hidden.name),
      File.kind(hidden) == .regular
    else { return }
    try permanently { () throws(Fault) in
      let directory = try Directory(parentOf: hidden)
      _ = try directory.remove(hidden.name)
      try directory.sync()
    }
  }

  /// Compares the file under the name with ours.
  public func prove(
    _ name: ObjectName, _ hints: ObjectHints, size: UInt64, stop: StopFlag
  ) throws(StoreFault) -> Proof {
    do throws(Fault) {
      guard let found = try File.look(Path(name.key)) else { return .absent }
      // A FIFO would be waited for.
      guard found.kind == .regular else { return .other }
      let file = try File.open(Path(name.key))
      guard file.size == size, try isOurs(file, hints) else { return .other }
      attempts.withLock { $0[hints.token] = nil }
      return .ours(Landed())
    } catch {
      return .cannotTell(error)
    }
  }

  private func isOurs(_ file: borrowing Descriptor, _ hints: ObjectHints) throws(Fault) -> Bool {
    switch attempts.withLock({ $0[hints.token] }) {
    case .named(let own): return file.identity == own
    case .begun: return false
    case nil: return try file.hasItem(hints.item)
    }
  }

  /// The hidden file of the attempt: its name is made of the token.
  public func openUploads(
    of name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> [UploadName] {
    let path = Self.hiddenPath(name, token: hints.token)
    guard File.kind(path) == .regular else { return [] }
    return [UploadName(object: name, id: String(decoding: path.bytes, as: UTF8.self))]
  }

  private static func hiddenPath(_ name: ObjectName, token: String) -> Path {
    let parent = Path(name.key).parent.bytes
    return Path(bytes: parent + [UInt8(ascii: "/")] + AtomicFile.hiddenName(token: token))
  }

  /// A directory store keeps no list of parts.
  public func listParts(_ upload: UploadName, stop: StopFlag) throws(StoreFault) -> [PartReceipt] {
    throw .cannot("list the parts of an upload")
  }

  private func file(_ upload: UploadName) throws(StoreFault) -> OpenFile {
    guard let file = open.withLock({ $0[upload.id] }) else {
      throw StoreFault(Fault(.missingObject, "the upload is not open"))
    }
    return file
  }
}

extension FileKind {
  fileprivate var words: String {
    switch self {
    case .regular: "a file"
    case .directory: "a directory"
    case .pipe: "a FIFO"
    case .socket: "a socket"
    case .characterDevice, .blockDevice: "a device"
    case .other: "something else"
    }
  }
}

extension Path {
  fileprivate var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }
}
