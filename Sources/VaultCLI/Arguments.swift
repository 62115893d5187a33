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

  /// The file descriptors that options and operands name, which must stay open: by number, or as
  /// `/dev/fd/N`, what a shell writes for `<(…)`.
  public var descriptors: [Int32] {
    let given = command.options.flatMap { values[$0.name] ?? [] }
    let numbers = command.options.filter { $0.kind == .descriptor }
      .flatMap { values[$0.name] ?? [] }
      .compactMap { $0.count.flatMap(Int32.init(exactly:)) }
    return numbers + (given.compactMap(\.path) + operands).compactMap(Arguments.descriptor)
  }

  private static func descriptor(of path: Argument) -> Int32? {
    let folders = ["/dev/fd/", "/proc/self/fd/"]
    guard let text = path.text, let folder = folders.first(where: text.hasPrefix) else {
      return nil
    }
    return Int32(text.dropFirst(folder.count))
  }

  func has(_ spec: OptionSpec) -> Bool { values[spec.name] != nil }
}
