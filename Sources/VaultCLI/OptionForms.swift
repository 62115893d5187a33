public import VaultFrame

// The forms an option can have. Each states its row and how what was read becomes a Swift value.

/// Words that an option can choose from: an enumeration with string values.
public typealias OptionChoice = CaseIterable & RawRepresentable & Sendable

extension Option where Value == Bool {
  /// A switch: given or not. It may be repeated without a change.
  public static func flag(_ name: String, short: Character? = nil, _ help: String) -> Option {
    let spec = OptionSpec(
      name: name, short: short, metavar: "", kind: .flag, repeats: true, required: false,
      fallback: nil, help: help)
    return Option(spec) { !$0.isEmpty }
  }
}

extension Option where Value == String? {
  /// A text, UTF-8 and not empty.
  public static func text(
    _ name: String, short: Character? = nil, _ metavar: String, required: Bool = false,
    fallback: String? = nil, _ help: String
  ) -> Option {
    let spec = OptionSpec(
      name: name, short: short, metavar: metavar, kind: .text, repeats: false, required: required,
      fallback: fallback, help: help)
    return Option(spec) { $0.first?.text }
  }

  /// A UUID in its canonical form: 36 lower-case characters, never all zeros.
  public static func uuid(_ name: String, fallback: String? = nil, _ help: String) -> Option {
    let spec = OptionSpec(
      name: name, short: nil, metavar: "UUID", kind: .uuid, repeats: false, required: false,
      fallback: fallback, help: help)
    return Option(spec) { $0.first?.text }
  }
}

extension Option where Value == [String] {
  /// Texts, in the order given.
  public static func texts(
    _ name: String, short: Character? = nil, _ metavar: String, required: Bool = false,
    _ help: String
  ) -> Option {
    let spec = OptionSpec(
      name: name, short: short, metavar: metavar, kind: .text, repeats: true, required: required,
      fallback: nil, help: help)
    return Option(spec) { $0.compactMap(\.text) }
  }
}

extension Option where Value == Argument? {
  /// The path of a file: any bytes.
  public static func path(
    _ name: String, short: Character? = nil, metavar: String = "FILE", required: Bool = false,
    fallback: String? = nil, use: FileUse = .read, _ help: String
  ) -> Option {
    let spec = OptionSpec(
      name: name, short: short, metavar: metavar, kind: .path, repeats: false, required: required,
      fallback: fallback, help: help, use: use)
    return Option(spec) { $0.first?.path }
  }
}

extension Option where Value == [Argument] {
  /// Paths of files, in the order given.
  public static func paths(
    _ name: String, short: Character? = nil, metavar: String = "FILE", required: Bool = false,
    use: FileUse = .read, _ help: String
  ) -> Option {
    let spec = OptionSpec(
      name: name, short: short, metavar: metavar, kind: .path, repeats: true, required: required,
      fallback: nil, help: help, use: use)
    return Option(spec) { $0.compactMap(\.path) }
  }
}

extension Option where Value == [UInt8]? {
  /// Exactly `count` bytes in hex.
  public static func hex(_ name: String, bytes count: Int, _ help: String) -> Option {
    let spec = OptionSpec(
      name: name, short: nil, metavar: "HEX", kind: .hex(bytes: count), repeats: false,
      required: false, fallback: nil, help: help)
    return Option(spec) { $0.first?.bytes }
  }
}

extension Option where Value == ByteRange? {
  /// A range of bytes: `A-B`, `A-` or `-N`.
  public static func range(_ name: String, _ help: String) -> Option {
    let spec = OptionSpec(
      name: name, short: nil, metavar: "A-B", kind: .range, repeats: false, required: false,
      fallback: nil, help: help)
    return Option(spec) { $0.first?.range }
  }
}
