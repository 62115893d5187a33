public import VaultFault
public import VaultIO

// What a command line says of files, held together: one rule for every tool and option
// (docs/DESIGN.md, outputs). The option table says what is done with each file.

extension Arguments {
  /// The files that the command reads, by device and inode: what it writes is held against them.
  ///
  /// - Throws: ``VaultFault/FaultKind/readFailed`` if it cannot be told which one a name leads to.
  public func namedFiles() throws(Fault) -> NamedFiles {
    var files = NamedFiles()
    for (path, words) in paths(of: .read) { try files.note(path, as: words) }
    if readsStandardInput { files.note(descriptor: 0, as: "standard input") }
    for spec in command.options where spec.kind == .descriptor {
      for number in numbers(of: spec) { files.note(descriptor: number, as: Arguments.words(spec)) }
    }
    if let path = variablePath { try files.note(path, as: Variables.passwordFile) }
    return files
  }

  /// Refuses outputs that are inputs too, and two readers of standard input.
  ///
  /// - Throws: ``VaultFault/FaultKind/usage``.
  public func checkFiles() throws(Fault) {
    try checkStandardInput()
    var files = try namedFiles()
    let outputs = paths(of: .write)
    for (path, words) in paths(of: .change) + outputs {
      try files.refuse(writing: path, as: words)
      try files.note(path, as: words)
    }
    guard !outputs.contains(where: { $0.words == "option \"--output\"" }) else { return }
    try files.refuse(writingTo: 1, as: "standard output")
  }

  private func checkStandardInput() throws(Fault) {
    var readers = readsStandardInput ? ["the data"] : []
    for (path, words) in optionPaths(of: .read) where Arguments.isStandardInput(path) {
      readers.append(words)
    }
    for spec in command.options where numbers(of: spec).contains(0) {
      readers.append(Arguments.words(spec))
    }
    guard readers.count > 1 else { return }
    throw Fault(.usage, "standard input cannot be both \(readers[0]) and \(readers[1])")
  }

  // Where the data comes from when no operand names a file, or one that stands for it.
  private var readsStandardInput: Bool {
    guard childCommand == nil else { return false }
    let files = command.operands.use == .read ? operands : []
    if files.isEmpty { return command.operands.readsInput }
    return files.contains { Arguments.isStandardInput($0.path) }
  }

  private static func isStandardInput(_ path: Path) -> Bool {
    path.isDash || DescriptorName.number(of: path) == 0
  }

  private func paths(of use: FileUse) -> [(path: Path, words: String)] {
    let named = command.operands.use == use ? operands.map { ($0.path, command.operands.name) } : []
    return optionPaths(of: use) + named
  }

  private func optionPaths(of use: FileUse) -> [(path: Path, words: String)] {
    command.options.filter { $0.kind == .path && $0.use == use }.flatMap { spec in
      (values[spec.name] ?? []).compactMap(\.path).map { ($0.path, Arguments.words(spec)) }
    }
  }

  private func numbers(of spec: OptionSpec) -> [Int32] {
    guard spec.kind == .descriptor else { return [] }
    return (values[spec.name] ?? []).compactMap { $0.count.flatMap(Int32.init(exactly:)) }
  }

  private static func words(_ spec: OptionSpec) -> String { "option \(quoted(spec.flag))" }

  /// The file that the variable of the password names, for the commands that take one.
  var variablePath: Path? {
    guard command.options.contains(where: { $0.name == "password-file" }),
      let bytes = Environment.bytes(Variables.passwordFile), !bytes.isEmpty
    else { return nil }
    return Path(bytes: bytes)
  }

  /// The file descriptors that options, operands and the variable of the password name, which must
  /// stay open: by number, or as `/dev/fd/N`, what a shell writes for `<(…)`.
  public var descriptors: [Int32] {
    let given = command.options.flatMap { values[$0.name] ?? [] }.compactMap(\.path)
    let paths = (given + operands).map(\.path) + [variablePath].compactMap { $0 }
    return command.options.flatMap(numbers) + paths.compactMap(DescriptorName.number)
  }
}
