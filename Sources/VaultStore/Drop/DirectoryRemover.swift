internal import VaultFault
internal import VaultIO

extension DirectoryStore: Remover {
  /// Looks at the file; its item is what its envelope says.
  public func facts(of name: ObjectName, stop: StopFlag) throws(StoreFault) -> ObjectFacts? {
    let path = Path(name.key)
    return try permanently { () throws(Fault) in
      guard try File.look(path) != nil else { return nil }
      let file = try File.open(path)
      guard file.kind == .regular else {
        throw Fault(.readFailed, "cannot look at \(path.quoted): not a regular file")
      }
      var facts = ObjectFacts(size: file.size, item: try file.item())
      facts.file = file.identity
      return facts
    }
  }

  /// Takes the file out of the way and looks at it there, so that a file that took its name in
  /// between is never removed.
  public func remove(
    _ name: ObjectName, _ facts: ObjectFacts, stop: StopFlag
  ) throws(StoreFault) -> Removal {
    let path = Path(name.key)
    guard let file = facts.file else {
      throw StoreFault(Fault(.internalFault, "nobody has looked at \(path.quoted)"))
    }
    let removed = try permanently { () throws(Fault) -> Bool? in
      let directory = try Directory(parentOf: path)
      guard try directory.look(path.name) != nil else { return nil }
      let removed = try directory.remove(path.name, ifItIs: file)
      try directory.sync()
      return removed
    }
    return removed.map { $0 ? .removed : .changed } ?? .absent
  }

  /// By nature.
  public func heedsConditions(near name: ObjectName, stop: StopFlag) throws(StoreFault) -> Bool {
    true
  }
}
