internal import VaultFault

/// What a whole command line must satisfy once every word of it was good.
struct LineRules {
  let arguments: Arguments

  func check() throws(Fault) {
    try checkCommandChosen()
    try checkRequired()
    try checkOperands()
    for rule in arguments.command.rules { try check(rule) }
  }

  private func checkCommandChosen() throws(Fault) {
    let words = arguments.command.subcommands.map(\.word)
    guard words.isEmpty else {
      throw Fault(
        .usage, "no command given", hint: "the commands are \(words.joined(separator: ", "))")
    }
  }

  private func checkRequired() throws(Fault) {
    for spec in arguments.command.options where spec.required && !arguments.has(spec) {
      throw Fault(.usage, "option \(quoted(spec.flag)) is required")
    }
  }

  private func checkOperands() throws(Fault) {
    let expected = arguments.command.operands
    if arguments.operands.count < expected.least {
      throw Fault(.usage, "no \(expected.name) given")
    }
    if let most = expected.most, arguments.operands.count > most {
      let extra = arguments.operands[most]
      throw Fault(.usage, "unexpected operand \(quoted(utf8: extra.bytes))")
    }
  }

  private func check(_ rule: OptionRule) throws(Fault) {
    guard let reason = breach(of: rule) else { return }
    throw Fault(.usage, reason)
  }

  private func breach(of rule: OptionRule) -> String? {
    switch rule {
    case .exclusive(let specs):
      let given = specs.filter(arguments.has)
      return given.count < 2 ? nil : "options \(list(given, "and")) exclude each other"
    case .oneOf(let specs):
      return isAny(specs) ? nil : "one of the options \(list(specs, "or")) is required"
    case .needs(let spec, let others):
      guard arguments.has(spec), !isAny(others) else { return nil }
      return "option \(quoted(spec.flag)) needs \(list(others, "or"))"
    case .operandsNeed(let specs): return unexpectedOperand(0, without: specs)
    case .severalOperandsNeed(let specs): return unexpectedOperand(1, without: specs)
    case .commandExcludes(let specs):
      guard arguments.childCommand != nil, let given = specs.first(where: arguments.has) else {
        return nil
      }
      return "option \(quoted(given.flag)) excludes a command after \"--\""
    }
  }

  private func unexpectedOperand(_ index: Int, without specs: [OptionSpec]) -> String? {
    guard arguments.operands.count > index, !isAny(specs) else { return nil }
    let operand = quoted(utf8: arguments.operands[index].bytes)
    return "unexpected operand \(operand) without \(list(specs, "or"))"
  }

  private func isAny(_ specs: [OptionSpec]) -> Bool { specs.contains(where: arguments.has) }

  private func list(_ specs: [OptionSpec], _ word: String) -> String {
    let names = specs.map { quoted($0.flag) }
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " \(word) " + last
  }
}
