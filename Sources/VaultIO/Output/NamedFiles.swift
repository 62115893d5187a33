public import VaultFault

/// The files that a command reads, each with the words that name it: none of them is ever written.
///
/// Told by device and inode, so that no other name, link or descriptor of the same file passes.
/// Terminals, other character devices and sockets may be both.
public struct NamedFiles: Sendable {
  private var read: [FileIdentity: String] = [:]

  /// None yet.
  public init() {}

  /// Notes what `path` leads to now, if anything, as read by `words`: an option, `standard input`.
  ///
  /// - Throws: ``VaultFault/FaultKind/readFailed`` if it cannot be told what that is.
  public mutating func note(_ path: Path, as words: String) throws(Fault) {
    note(try NamedFiles.identity(path), as: words)
  }

  /// Notes what a descriptor leads to.
  public mutating func note(descriptor number: Int32, as words: String) {
    note(NamedFiles.identity(number), as: words)
  }

  private mutating func note(_ identity: FileIdentity?, as words: String) {
    if let identity, read[identity] == nil { read[identity] = words }
  }

  /// Refuses to write what `path` leads to if it is among them; `words` name the output.
  ///
  /// - Throws: ``VaultFault/FaultKind/usage``; ``VaultFault/FaultKind/readFailed`` if it cannot be told
  ///   what that is.
  public func refuse(writing path: Path, as words: String) throws(Fault) {
    try refuse(NamedFiles.identity(path), path.quoted, words)
  }

  /// The same for a descriptor that is written through.
  public func refuse(writingTo number: Int32, as words: String) throws(Fault) {
    try refuse(NamedFiles.identity(number), "", words)
  }

  private func refuse(
    _ identity: FileIdentity?, _ shown: String, _ words: String
  ) throws(Fault) {
    guard let identity, let reader = read[identity] else { return }
    let which = shown.isEmpty ? "" : ": \(shown)"
    throw Fault(.usage, "\(words) would write the file that \(reader) reads\(which)")
  }

  private static func identity(_ path: Path) throws(Fault) -> FileIdentity? {
    if path.isDash { return nil }
    if let number = DescriptorName.number(of: path) { return identity(number) }
    guard let found = try File.lookIfReachable(path), exclusive(found.kind) else { return nil }
    return found.identity
  }

  private static func identity(_ number: Int32) -> FileIdentity? {
    let descriptor = Descriptor(borrowing: number, name: "")
    return exclusive(descriptor.kind) ? descriptor.identity : nil
  }

  private static func exclusive(_ kind: FileKind?) -> Bool {
    switch kind {
    case .regular, .pipe, .blockDevice: true
    default: false
    }
  }
}
