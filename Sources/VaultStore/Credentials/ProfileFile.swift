internal import VaultFault

/// The shared config and credentials files: sections of `name = value`.
///
/// Lines end with LF or CRLF, a BOM is skipped, `#` and `;` begin a comment at the start of a line
/// or after white space. An indented line belongs to the name above it, as in `s3 =` followed by
/// `  addressing_style = path`, and is kept as `s3.addressing_style`. What is none of these is an
/// error that names the line and shows nothing of it.
struct ProfileFile: Sendable {
  private(set) var sections: [String: [String: String]] = [:]

  init() {}

  init(_ bytes: [UInt8], path: String) throws(Fault) {
    let body = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...]
    var place = Place()
    var number = 0
    for raw in body.split(separator: 0x0a, omittingEmptySubsequences: false) {
      number += 1
      let line = withoutComment(raw)
      let text = trimmed(line)
      if text.isEmpty { continue }
      let isIndented = line.first == 0x20 || line.first == 0x09
      guard take(text, isIndented, &place) else { throw bad(path, number) }
    }
  }

  // The section and the name that the lines before have opened.
  private struct Place {
    var section: String?
    var parent = ""
  }

  private mutating func take(_ text: String, _ isIndented: Bool, _ place: inout Place) -> Bool {
    if text.hasPrefix("["), !isIndented {
      guard let name = sectionName(text) else { return false }
      place = Place(section: name)
      sections[name, default: [:]].merge([:]) { $1 }
      return true
    }
    guard let section = place.section else { return false }
    let isNested = isIndented && !place.parent.isEmpty
    // More of a long value is skipped: none of those is ours.
    guard let (name, value) = pair(text) else { return isNested }
    sections[section]?[isNested ? "\(place.parent).\(name)" : name] = value
    if !isIndented { place.parent = name }
    return true
  }

  private func bad(_ path: String, _ line: Int) -> Fault {
    Fault(.badConfiguration, "line \(line) of \(quoted(path)) is not a section or name = value")
  }
}

private func withoutComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  let isMark: (UInt8) -> Bool = { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: ";") }
  let front = line.drop { $0 == 0x20 || $0 == 0x09 }
  if let first = front.first, isMark(first) { return [] }
  var last: UInt8 = 0x61
  for index in line.indices {
    if isMark(line[index]), last == 0x20 || last == 0x09 { return line[..<index] }
    last = line[index]
  }
  return line
}

// `[default]`, `[profile x]`, `[profile "x y"]`, with `profile` and one space kept.
private func sectionName(_ text: String) -> String? {
  guard text.hasSuffix("]") else { return nil }
  let words = text.dropFirst().dropLast().split(separator: " ").joined(separator: " ")
  return words.filter { $0 != "\"" }
}

private func pair(_ text: String) -> (name: String, value: String)? {
  guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
  let name = trimmed(text[..<equals])
  guard !name.isEmpty else { return nil }
  return (asciiLowercased(name), trimmed(text[text.utf8.index(after: equals)...]))
}
