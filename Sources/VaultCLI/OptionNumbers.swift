// The forms of options that are numbers or one of a few words.

extension Option where Value == UInt64? {
  /// A size in bytes, nil when absent.
  public static func size(
    _ name: String, within bounds: ClosedRange<UInt64> = 0...Size.limit, fallback: String? = nil,
    _ help: String
  ) -> Option {
    Option(sizeSpec(name, bounds, fallback, help)) { $0.first?.size }
  }
}

extension Option where Value == UInt64 {
  /// A size in bytes with a value of its own when absent.
  public static func size(
    _ name: String, default standard: UInt64, within bounds: ClosedRange<UInt64> = 0...Size.limit,
    _ help: String
  ) -> Option {
    Option(sizeSpec(name, bounds, Size.exact(standard), help)) { $0.first?.size ?? standard }
  }
}

extension Option where Value == Int? {
  /// A number, nil when absent.
  public static func count(
    _ name: String, short: Character? = nil, metavar: String = "N",
    within bounds: ClosedRange<Int> = 0...Int.max, fallback: String? = nil, _ help: String
  ) -> Option {
    Option(countSpec(name, short, metavar, bounds, fallback, help)) { $0.first?.count }
  }
}

extension Option where Value == Int {
  /// A number with a value of its own when absent.
  public static func count(
    _ name: String, short: Character? = nil, metavar: String = "N", default standard: Int,
    within bounds: ClosedRange<Int> = 0...Int.max, _ help: String
  ) -> Option {
    Option(countSpec(name, short, metavar, bounds, String(standard), help)) {
      $0.first?.count ?? standard
    }
  }
}

extension Option where Value == Int32? {
  /// The number of a file descriptor that is open already.
  public static func descriptor(_ name: String, _ help: String) -> Option {
    let spec = OptionSpec(
      name: name, short: nil, metavar: "FD", kind: .descriptor, repeats: false, required: false,
      fallback: nil, help: help)
    return Option(spec) { $0.first?.count.flatMap(Int32.init(exactly:)) }
  }
}

extension Option where Value: OptionChoice, Value.RawValue == String {
  /// One word of an enumeration.
  public static func choice(
    _ name: String, _ metavar: String, default standard: Value, _ help: String
  ) -> Option {
    let kind = ValueKind.choice(Value.allCases.map(\.rawValue))
    let spec = OptionSpec(
      name: name, short: nil, metavar: metavar, kind: kind, repeats: false, required: false,
      fallback: standard.rawValue, help: help)
    return Option(spec) { $0.flatMap(\.words).first.flatMap(Value.init(rawValue:)) ?? standard }
  }
}

extension Option {
  /// One word of an enumeration, nil when absent.
  public static func choice<Word: OptionChoice>(
    _ name: String, _ metavar: String, of words: Word.Type, _ help: String
  ) -> Option where Value == Word?, Word.RawValue == String {
    let kind = ValueKind.choice(Word.allCases.map(\.rawValue))
    let spec = OptionSpec(
      name: name, short: nil, metavar: metavar, kind: kind, repeats: false, required: false,
      fallback: nil, help: help)
    return Option(spec) { $0.flatMap(\.words).first.flatMap(Word.init(rawValue:)) }
  }

  /// Words of an enumeration, with commas between, or the option repeated.
  public static func choices<Word: OptionChoice>(
    _ name: String, _ metavar: String, of words: Word.Type, _ help: String
  ) -> Option where Value == [Word], Word.RawValue == String {
    let kind = ValueKind.choices(Word.allCases.map(\.rawValue))
    let spec = OptionSpec(
      name: name, short: nil, metavar: metavar, kind: kind, repeats: true, required: false,
      fallback: nil, help: help)
    return Option(spec) { $0.flatMap(\.words).compactMap(Word.init(rawValue:)) }
  }
}

private func sizeSpec(
  _ name: String, _ bounds: ClosedRange<UInt64>, _ fallback: String?, _ help: String
) -> OptionSpec {
  OptionSpec(
    name: name, short: nil, metavar: "SIZE", kind: .size(bounds), repeats: false, required: false,
    fallback: fallback, help: help)
}

private func countSpec(
  _ name: String, _ short: Character?, _ metavar: String, _ bounds: ClosedRange<Int>,
  _ fallback: String?, _ help: String
) -> OptionSpec {
  OptionSpec(
    name: name, short: short, metavar: metavar, kind: .count(bounds), repeats: false,
    required: false, fallback: fallback, help: help)
}
