public import VaultFault
public import VaultFrame
public import VaultIO

extension StreamRunner where Consumer: ~Copyable {
  /// Runs a stream from a descriptor to its end; throws the first fault of the stream or its items.
  /// `check` is asked when all has come, before anything ends well for good.
  public mutating func run(
    from input: borrowing Descriptor, _ check: () throws(Fault) -> Void = {}
  ) throws(Fault) {
    input.widenPipe()
    while try unsafe step({ (free) throws(Fault) in try unsafe input.read(into: free) }) {}
    try finish(check)
  }
}

/// The input of a filter: standard input, or the one file that is named.
public func openInput(_ operand: Argument?) throws(Fault) -> Descriptor {
  guard let operand else { return .standardInput() }
  return try File.openNamed(operand.path)
}

/// A binary stream does not go to a terminal; throws `usage`.
public func refuseTerminal(_ output: borrowing Descriptor, _ what: String) throws(Fault) {
  guard output.isTerminal else { return }
  throw Fault(
    .usage, "\(what) is not written to a terminal", hint: "redirect standard output or use a pipe")
}
