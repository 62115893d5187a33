/// One row of a tool's option table: all that the parser, the help and later the manual page and
/// the completions need to know.
public struct OptionSpec: Equatable, Sendable {
  /// The long name without dashes; the row's identity.
  public let name: String
  /// The one-letter name, where there is one.
  public let short: Character?
  /// What the value is called in help, `FILE`; empty for a flag.
  public let metavar: String
  /// What a value must look like.
  public let kind: ValueKind
  /// May stand more than once.
  public let repeats: Bool
  /// Must stand at least once.
  public let required: Bool
  /// What help says is used when it is absent.
  public let fallback: String?
  /// One line, lower case, no full stop.
  public let help: String
  /// What is done with the file that a value names.
  public var use = FileUse.read

  /// The option as messages show it, `--name`.
  public var flag: String { "--" + name }
}

/// What is done with a file that the command line names: what is read is never written.
public enum FileUse: Equatable, Sendable {
  /// It is read; `-` is standard input.
  case read
  /// It is written; `-` is standard output.
  case write
  /// It is read, and another takes its place.
  case change
  /// It is a directory, or no file at all.
  case other
}

/// What the value of an option must look like, and so what can complete it.
public enum ValueKind: Equatable, Sendable {
  /// No value.
  case flag
  /// UTF-8, not empty.
  case text
  /// Any bytes, not empty: the path of a file.
  case path
  /// Bytes, plain or with KiB, MiB, GiB, TiB.
  case size(ClosedRange<UInt64>)
  /// A decimal number.
  case count(ClosedRange<Int>)
  /// 36 lower-case characters, not nil.
  case uuid
  /// Hex digits for exactly so many bytes.
  case hex(bytes: Int)
  /// The number of an open file descriptor.
  case descriptor
  /// One of these words.
  case choice([String])
  /// One or more of these words, with commas between.
  case choices([String])
  /// `A-B`, `A-` or `-N`.
  case range
}

/// A row of the option table together with the type of what it gives.
///
/// Tools declare one static constant an option, put it in their ``Command``, and read it with
/// `arguments[Options.maxBytes]`: a name that is misspelt does not compile, and neither does a
/// value of the wrong type.
public struct Option<Value: Sendable>: Sendable {
  /// The row.
  public let spec: OptionSpec
  let decode: @Sendable ([OptionValue]) -> Value

  init(_ spec: OptionSpec, decode: @escaping @Sendable ([OptionValue]) -> Value) {
    self.spec = spec
    self.decode = decode
  }
}

/// Options that stand together in help, under one title.
public struct OptionGroup: Sendable {
  /// The title, `Limits`.
  public let title: String
  /// The rows in the order of help.
  public let options: [OptionSpec]

  /// A group of options, of whatever types.
  public init<each Value>(_ title: String, _ option: repeat Option<each Value>) {
    var specs: [OptionSpec] = []
    for option in repeat each option { specs.append(option.spec) }
    self.title = title
    self.options = specs
  }
}
