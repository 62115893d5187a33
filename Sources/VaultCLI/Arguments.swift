/// A command line that was read and found good.
public struct Arguments: Sendable {
  /// The command that was chosen: the tool's, or a subcommand.
  public let command: Command
  /// What is no option, in order.
  public let operands: [Argument]
  /// `COMMAND ARG...` after `--`, for tools that take one; never empty.
  public let childCommand: [Argument]?
  let values: [String: [OptionValue]]

  /// The value of an option, typed by its declaration: Bool for a flag, an optional for a single
  /// value, an array for a repeated one, a plain value where the option has a default.
  public subscript<Value>(_ option: Option<Value>) -> Value {
    option.decode(values[option.spec.name] ?? [])
  }

  /// Whether the option was on the line at all.
  public func has<Value>(_ option: Option<Value>) -> Bool { has(option.spec) }

  func has(_ spec: OptionSpec) -> Bool { values[spec.name] != nil }
}
