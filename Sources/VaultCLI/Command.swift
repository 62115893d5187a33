public import VaultFault

/// A tool, or a command of a tool, as data: what it is called, takes and says about itself.
public struct Command: Sendable {
  /// The words a user types, `vault-key space new`.
  public let name: String
  /// One sentence, lower case, no full stop.
  public let summary: String
  /// The usage lines without the name.
  public let usage: [String]
  /// What stands on the line besides options.
  public let operands: Operands
  /// The option table, in the order of help, without the standard options.
  public let groups: [OptionGroup]
  /// What options demand of each other.
  public let rules: [OptionRule]
  /// The commands under this one; when there are any, one must be chosen.
  public let subcommands: [Command]
  /// Lines to paste.
  public let examples: [String]
  /// What a user must know, a paragraph each.
  public let notes: [String]
  /// The exit codes this tool can give, for help.
  public let exits: [ExitStatus]

  /// A tool or a leaf command.
  public init(
    _ name: String, _ summary: String, usage: [String], operands: Operands = .none,
    groups: [OptionGroup] = [], rules: [OptionRule] = [], examples: [String] = [],
    notes: [String] = [], exits: [ExitStatus] = []
  ) {
    self.init(
      name: name, summary: summary, usage: usage, operands: operands, groups: groups, rules: rules,
      subcommands: [], examples: examples, notes: notes, exits: exits)
  }

  /// A command that only leads to others.
  public init(
    _ name: String, _ summary: String, subcommands: [Command], examples: [String] = [],
    notes: [String] = [], exits: [ExitStatus] = []
  ) {
    self.init(
      name: name, summary: summary, usage: ["COMMAND [OPTION]..."], operands: .none, groups: [],
      rules: [], subcommands: subcommands, examples: examples, notes: notes, exits: exits)
  }

  private init(
    name: String, summary: String, usage: [String], operands: Operands, groups: [OptionGroup],
    rules: [OptionRule], subcommands: [Command], examples: [String], notes: [String],
    exits: [ExitStatus]
  ) {
    self.name = name
    self.summary = summary
    self.usage = usage
    self.operands = operands
    self.groups = groups
    self.rules = rules
    self.subcommands = subcommands
    self.examples = examples
    self.notes = notes
    self.exits = exits
  }

  /// The groups of help: the command's own, then the options every tool has.
  public var allGroups: [OptionGroup] { groups + [StandardOptions.group] }

  /// The rows of all groups.
  public var options: [OptionSpec] { allGroups.flatMap(\.options) }

  /// The last word of the name, `new`.
  public var word: String { String(name.split(separator: " ").last ?? "") }

  /// The first word of the name, `vault-key`.
  public var tool: String { String(name.split(separator: " ").first ?? "") }
}

extension Command: Equatable {
  /// Commands are the same if they are called the same.
  public static func == (left: Command, right: Command) -> Bool { left.name == right.name }
}

/// What stands on a command line besides options.
public struct Operands: Sendable {
  /// What one is called in help and messages, `DEST`.
  public let name: String
  /// The least number.
  public let least: Int
  /// The greatest number, nil for no limit.
  public let most: Int?
  /// Everything after `--` is a command with its arguments, and so no operand.
  public let command: Bool
  /// What is done with a file that one names.
  public let use: FileUse
  /// Standard input is read where no operand says another.
  public let readsInput: Bool

  private init(
    name: String, least: Int, most: Int?, command: Bool = false, use: FileUse = .other,
    readsInput: Bool = false
  ) {
    self.name = name
    self.least = least
    self.most = most
    self.command = command
    self.use = use
    self.readsInput = readsInput
  }

  /// No operands.
  public static let none = Operands(name: "", least: 0, most: 0)
  /// Exactly one: the name of a file that is read, if nothing else is said.
  public static func one(_ name: String, use: FileUse = .read) -> Operands {
    Operands(name: name, least: 1, most: 1, use: use)
  }
  /// One or none. A file is what is read in place of standard input; of another `use` it is
  /// something else, and standard input is read all the same when `readsInput`.
  public static func optional(
    _ name: String, use: FileUse = .read, readsInput: Bool = true
  ) -> Operands {
    Operands(name: name, least: 0, most: 1, use: use, readsInput: readsInput)
  }
  /// Any number of files that are read; without one, standard input.
  public static func any(_ name: String) -> Operands {
    Operands(name: name, least: 0, most: nil, use: .read, readsInput: true)
  }
  /// The same operands, and `-- COMMAND ARG...`, whose output is read then.
  public var orCommand: Operands {
    Operands(
      name: name, least: least, most: most, command: true, use: use, readsInput: readsInput)
  }
}

/// What options demand of each other.
public enum OptionRule: Sendable {
  /// At most one of these.
  case exclusive([OptionSpec])
  /// At least one of these.
  case oneOf([OptionSpec])
  /// The first only together with one of the others.
  case needs(OptionSpec, [OptionSpec])
  /// Operands only together with one of these.
  case operandsNeed([OptionSpec])
  /// More than one operand only together with one of these.
  case severalOperandsNeed([OptionSpec])
  /// `-- COMMAND` not together with any of these.
  case commandExcludes([OptionSpec])
}
