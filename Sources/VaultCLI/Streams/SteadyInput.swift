public import VaultFault
public import VaultIO

extension StandardOptions {
  /// `--allow-changes`, of the tools that take a file for what it is at one moment.
  public static let allowChanges = Option.flag(
    "allow-changes", "take an input file that is changed while it is read")
}

extension Arguments {
  /// What the input must stay like until it was read; nil where it is no regular file, or may change.
  ///
  /// Throws `read-failed` if it cannot be looked at.
  public func watch(_ input: borrowing Descriptor) throws(Fault) -> FileWatch? {
    self[StandardOptions.allowChanges] ? nil : try FileWatch(input)
  }
}

extension FileWatch? {
  /// Throws `file-changed` if there is a file to watch and it is not as it was.
  public func check() throws(Fault) { try self?.check() }

  /// Runs `body`, which reads the file, and checks it then.
  public func during<Result>(_ body: () throws(Fault) -> Result) throws(Fault) -> Result {
    guard let watch = self else { return try body() }
    return try watch.during(body)
  }
}
