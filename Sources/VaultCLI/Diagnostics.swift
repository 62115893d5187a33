// Rules of speech.
//
// One line of fact, then where it helps one line of remedy:
//   vault-put: error: cannot store part 3 of "x": connection refused
//   vault-put: hint: is the endpoint right?
// Lower case, no full stop. What a user gave is quoted and escaped. The system's reason stands last.
// `warning:` is for what a person should look at though the work goes on; success says nothing.
// A line is one write(2) to descriptor 2, and a standard error that is broken changes nothing:
// the exit code is the truth. Nothing secret is said at any verbosity.

public import VaultFault

/// The voice of a tool on standard error.
public struct Diagnostics: Sendable {
  /// The name before each line, `vault-put`.
  public let tool: String
  /// Where the lines go.
  public let console: Console
  /// What no line may say.
  public let redaction: Redaction
  /// Whether ``note(_:)`` speaks.
  public let verbose: Bool

  /// A voice; a tool has one.
  public init(
    tool: String, console: Console, redaction: Redaction = Redaction(), verbose: Bool = false
  ) {
    self.tool = tool
    self.console = console
    self.redaction = redaction
    self.verbose = verbose
  }

  /// What went wrong, and what may help.
  public func error(_ fault: Fault) {
    say("error", fault.reason)
    if let hint = fault.hint { say("hint", hint) }
  }

  /// What a person should look at, though the work goes on.
  public func warning(_ fact: String, hint: String? = nil) {
    say("warning", fact)
    if let hint { say("hint", hint) }
  }

  /// What only `--verbose` asks for.
  public func note(_ fact: String) { if verbose { say("note", fact) } }

  private func say(_ prefix: String, _ text: String) {
    console.line("\(tool): \(prefix): \(oneLine(redaction.applied(to: text)))")
  }
}

// A message is one line whatever came into it.
private func oneLine(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isControl) else { return text }
  var out = String.UnicodeScalarView()
  for scalar in text.unicodeScalars { out.append(isControl(scalar) ? " " : scalar) }
  return String(out)
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
}
