public import VaultFault

/// Reads a command line by a ``Command``'s table.
///
/// Options may follow operands; `--` ends them; `-` is an operand. Names are never abbreviated.
/// A value of its own argument may not look like an option (`-o -x` is refused, `-o./-x` is not),
/// so a forgotten value never swallows the next option.
public enum Parser {
  /// Reads the arguments after the program's name.
  ///
  /// Throws only ``FaultKind/usage``. With `--help` or `--version` on the line nothing that is
  /// missing is complained about.
  public static func parse(_ arguments: [Argument], for command: Command) throws(Fault)
    -> Arguments
  {
    var line = Line(command: command, rest: arguments[...])
    while let argument = line.rest.popFirst() { try line.take(argument) }
    let result = Arguments(
      command: line.command, operands: line.operands, childCommand: line.childCommand,
      values: line.values)
    if !result[StandardOptions.help] && !result[StandardOptions.version] {
      try LineRules(arguments: result).check()
    }
    return result
  }
}

private struct Line {
  var command: Command
  var rest: ArraySlice<Argument>
  var operands: [Argument] = []
  var childCommand: [Argument]?
  var values: [String: [OptionValue]] = [:]
  var optionsEnded = false

  init(command: Command, rest: ArraySlice<Argument>) {
    self.command = command
    self.rest = rest
  }

  mutating func take(_ argument: Argument) throws(Fault) {
    let bytes = argument.bytes
    if optionsEnded || bytes.first != dash || bytes.count == 1 {
      try takeOperand(argument)
    } else if bytes == [dash, dash] {
      try endOptions()
    } else if bytes[1] == dash {
      try takeLong(bytes.dropFirst(2))
    } else {
      try takeCluster(bytes.dropFirst())
    }
  }

  private mutating func takeOperand(_ argument: Argument) throws(Fault) {
    guard !command.subcommands.isEmpty else {
      operands.append(argument)
      return
    }
    let words = command.subcommands.map(\.word)
    guard let chosen = command.subcommands.first(where: { Argument($0.word) == argument }) else {
      let near = argument.text.flatMap { nearest(to: $0, in: words) }
      throw Fault(
        .usage, "unknown command \(quoted(utf8: argument.bytes))",
        hint: near.map { "did you mean \(quoted($0))?" }
          ?? "the commands are \(words.joined(separator: ", "))")
    }
    command = chosen
  }

  private mutating func endOptions() throws(Fault) {
    optionsEnded = true
    guard command.operands.command else { return }
    guard !rest.isEmpty else { throw Fault(.usage, "no command after \"--\"") }
    childCommand = Array(rest)
    rest = []
  }

  // After the two dashes: `name` or `name=value`.
  private mutating func takeLong(_ bytes: ArraySlice<UInt8>) throws(Fault) {
    let equals = bytes.firstIndex(of: UInt8(ascii: "="))
    let name = Array(bytes[..<(equals ?? bytes.endIndex)])
    guard let spec = command.options.first(where: { Array($0.name.utf8) == name }) else {
      throw unknownLong(name)
    }
    let attached = equals.map { Argument(bytes: Array(bytes[($0 + 1)...])) }
    if spec.kind == .flag {
      guard attached == nil else {
        throw Fault(.usage, "option \(quoted(spec.flag)) takes no value")
      }
      try add(.present, to: spec)
    } else {
      try add(argument: value(attached, for: spec), to: spec)
    }
  }

  // After one dash: letters of flags, the last of which may take the rest or the next argument.
  private mutating func takeCluster(_ bytes: ArraySlice<UInt8>) throws(Fault) {
    try refuseLongName(bytes)
    var letters = bytes
    while let letter = letters.popFirst() {
      let short = Character(Unicode.Scalar(letter))
      guard letter < 0x80, let spec = command.options.first(where: { $0.short == short }) else {
        throw unknownShort(at: letters.startIndex - 1, of: bytes)
      }
      if spec.kind == .flag {
        try add(.present, to: spec)
        continue
      }
      guard letters.first != UInt8(ascii: "=") else {
        throw Fault(
          .usage, "option \"-\(short)\" takes no \"=\"",
          hint: "write \"-\(short) \(spec.metavar)\" or \"\(spec.flag)=\(spec.metavar)\"")
      }
      let attached = letters.isEmpty ? nil : Argument(bytes: Array(letters))
      return try add(argument: value(attached, for: spec), to: spec)
    }
  }

  private mutating func value(_ attached: Argument?, for spec: OptionSpec) throws(Fault)
    -> Argument
  {
    if let attached { return attached }
    let hint = "write \"\(spec.flag)=\(spec.metavar)\""
    guard let value = rest.first, !looksLikeOption(value, spec.kind) else {
      throw Fault(.usage, "option \(quoted(spec.flag)) needs a value", hint: hint)
    }
    rest.removeFirst()
    return value
  }

  private mutating func add(argument: Argument, to spec: OptionSpec) throws(Fault) {
    try add(ValueReader(spec: spec, argument: argument).read(), to: spec)
  }

  private mutating func add(_ value: OptionValue, to spec: OptionSpec) throws(Fault) {
    guard spec.repeats || values[spec.name] == nil else {
      throw Fault(.usage, "option \(quoted(spec.flag)) is given twice")
    }
    values[spec.name, default: []].append(value)
  }

  private func unknownLong(_ name: [UInt8]) -> Fault {
    let reason = "unknown option \(quoted(utf8: [dash, dash] + name))"
    guard let text = Argument(bytes: name).text, !text.isEmpty else { return Fault(.usage, reason) }
    let names = command.options.map(\.name)
    let longer = names.filter { $0.hasPrefix(text) }
    if !longer.isEmpty {
      let shown = longer.map { quoted("--" + $0) }.joined(separator: " or ")
      return Fault(.usage, reason, hint: "names are not abbreviated: write \(shown)")
    }
    return Fault(
      .usage, reason,
      hint: nearest(to: text, in: names).map { "did you mean \(quoted("--" + $0))?" })
  }

  // `-output x` would else write to a file `utput`.
  private func refuseLongName(_ bytes: ArraySlice<UInt8>) throws(Fault) {
    let name = Array(bytes.prefix { $0 != UInt8(ascii: "=") })
    guard let meant = command.options.first(where: { Array($0.name.utf8) == name }) else { return }
    throw Fault(
      .usage, "unknown option \(quoted("-" + meant.name))",
      hint: "did you mean \(quoted(meant.flag))?")
  }

  private func unknownShort(at index: Int, of bytes: ArraySlice<UInt8>) -> Fault {
    let letter = String(decoding: bytes[index...], as: UTF8.self).first.map(String.init) ?? ""
    return Fault(.usage, "unknown option \(quoted("-" + letter))")
  }
}

private let dash = UInt8(ascii: "-")

// `-500` is a range and `-1` a wrong number that deserves its own message, so only two dashes stop
// those; a path or a text that begins with a dash must be attached.
private func looksLikeOption(_ value: Argument, _ kind: ValueKind) -> Bool {
  guard value.bytes.first == dash, value.bytes.count > 1 else { return false }
  return value.bytes[1] == dash || kind == .path || kind == .text
}
