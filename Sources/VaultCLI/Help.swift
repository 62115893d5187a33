internal import VaultFault

/// Help, printed from a ``Command`` and nothing else: 80 columns, the same on every machine.
public enum Help {
  /// The width of a line.
  public static let width = 80

  /// The whole text of `--help`, with a line feed at its end.
  public static func text(of command: Command) -> String {
    var blocks = ["\(command.name): \(command.summary)", usage(command)]
    if !command.subcommands.isEmpty {
      blocks.append(rows("Commands", command.subcommands.map { ("  " + $0.word, $0.summary) }))
    }
    blocks += command.allGroups.map { group in
      rows(group.title, group.options.map { (term($0), explanation($0)) })
    }
    blocks += command.notes.map { wrapped($0, indent: 0).joined(separator: "\n") }
    if !command.examples.isEmpty {
      blocks.append((["Examples:"] + command.examples.map { "  " + $0 }).joined(separator: "\n"))
    }
    if !command.exits.isEmpty { blocks.append(exits(command)) }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static func usage(_ command: Command) -> String {
    command.usage.enumerated().map { index, line in
      (index == 0 ? "usage: " : "       ") + command.name + (line.isEmpty ? "" : " " + line)
    }.joined(separator: "\n")
  }

  private static func exits(_ command: Command) -> String {
    let known = command.exits.map { (padded("  \($0.rawValue)", 7), $0.meaning) }
    let all = known + [("  128+n", "ended by signal n")]
    return "Exit codes:\n" + all.map { "\($0)  \($1)" }.joined(separator: "\n")
  }
}

// `  -o, --output=FILE`; without a short name the long one stands where it would stand with it.
private func term(_ spec: OptionSpec) -> String {
  let short = spec.short.map { "  -\($0), " } ?? "      "
  return short + spec.flag + (spec.metavar.isEmpty ? "" : "=" + spec.metavar)
}

private func explanation(_ spec: OptionSpec) -> String {
  var facts: [String] = []
  if let bounds = bounds(of: spec.kind) { facts.append(bounds) }
  if spec.required { facts.append("required") }
  if spec.repeats && spec.kind != .flag { facts.append("repeatable") }
  if let fallback = spec.fallback { facts.append("default: \(fallback)") }
  return spec.help + (facts.isEmpty ? "" : " (" + facts.joined(separator: "; ") + ")")
}

private func bounds(of kind: ValueKind) -> String? {
  switch kind {
  case .size(let bounds) where bounds.upperBound < Size.limit:
    "\(Size.exact(bounds.lowerBound)) to \(Size.exact(bounds.upperBound))"
  case .size(let bounds) where bounds.lowerBound > 0: "at least \(Size.exact(bounds.lowerBound))"
  case .count(let bounds) where bounds.upperBound < Int.max:
    "\(bounds.lowerBound) to \(bounds.upperBound)"
  case .count(let bounds) where bounds.lowerBound > 0: "at least \(bounds.lowerBound)"
  case .choice(let words), .choices(let words): words.joined(separator: ", ")
  default: nil
  }
}

private func rows(_ title: String, _ rows: [(term: String, text: String)]) -> String {
  let column = 28
  var lines = [title + ":"]
  for row in rows {
    var text = wrapped(row.text, indent: column)
    if row.term.count <= column - 2 {
      text[0] = padded(row.term, column) + text[0].dropFirst(column)
    } else {
      lines.append(row.term)
    }
    lines += text
  }
  return lines.joined(separator: "\n")
}

// Breaks at spaces; a word longer than a line stands alone.
private func wrapped(_ text: String, indent: Int) -> [String] {
  let margin = String(repeating: " ", count: indent)
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if !line.isEmpty && indent + line.count + 1 + word.count > Help.width {
      lines.append(margin + line)
      line = ""
    }
    line += (line.isEmpty ? "" : " ") + word
  }
  return lines + [margin + line]
}

private func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}
