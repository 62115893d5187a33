import VaultFault
import VaultIO
import VaultStore

/// The files that one command reads or writes beside its objects, told by device and inode: none may be
/// another one, and no object takes the place of one.
struct OwnFiles {
  private var files: [(file: FileIdentity, what: String)] = []

  init(_ journal: Journal?, _ state: ResumeState?) throws(Fault) {
    try add(.standardInput(), "the input")
    try add(.standardOutput(), "the file of the receipts")
    if let file = journal?.identity { try add(file, "the journal") }
    if let file = state?.journal.identity { try add(file, "the state file") }
    // Where messages go may be where receipts go: that is for the caller to say.
    let messages = Descriptor.standardError()
    if messages.kind == .regular, let file = messages.identity {
      files.append((file, "the file of the messages"))
    }
  }

  private mutating func add(_ descriptor: borrowing Descriptor, _ what: String) throws(Fault) {
    guard descriptor.kind == .regular, let file = descriptor.identity else { return }
    try add(file, what)
  }

  private mutating func add(_ file: FileIdentity, _ what: String) throws(Fault) {
    if let other = files.first(where: { $0.file == file }) {
      throw Fault(.usage, "\(what) is \(other.what), too", hint: "give each a file of its own")
    }
    files.append((file, what))
  }

  func keepApart(from store: any Store) {
    guard let store = store as? DirectoryStore else { return }
    for (file, what) in files { store.protect(file, as: what) }
  }
}
