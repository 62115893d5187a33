internal import VaultFault

/// The lines of a text file with keys, as ranges: the text itself is never copied.
enum KeyLines {
  struct Line {
    let number: Int
    let range: Range<Int>
  }

  /// All lines but blank ones and comments.
  static func ranges(of file: Span<UInt8>, fault: FaultKind) throws(Fault) -> [Line] {
    if let encoding = utf16(file) { throw Fault(fault, encoding) }
    var lines: [Line] = []
    var number = 0
    var start = markLength(file)
    while start < file.count {
      let end = lineEnd(of: file, from: start)
      number += 1
      let range = start..<withoutReturn(file, start, end)
      if !range.isEmpty, file[start] != UInt8(ascii: "#") {
        guard lines.count < KeyFile.maxKeys else {
          throw Fault(fault, "the file holds more than \(KeyFile.maxKeys) keys")
        }
        lines.append(Line(number: number, range: range))
      }
      start = end + 1
    }
    return lines
  }

  /// The only line of a file without its mark and line end, or all of it if there are more.
  static func onlyLine(of file: Span<UInt8>) -> Range<Int> {
    let start = markLength(file)
    let end = lineEnd(of: file, from: start)
    guard end >= file.count - 1 else { return start..<file.count }
    return start..<withoutReturn(file, start, end)
  }

  /// What is wrong when a file is UTF-16, with a mark or without.
  static func utf16(_ file: Span<UInt8>) -> String? {
    let hasMark =
      file.count >= 2 && (file[0], file[1]) == (0xff, 0xfe)
      || file.count >= 2 && (file[0], file[1]) == (0xfe, 0xff)
    // Without one, two letters whose other halves are zeros.
    let looksWide =
      file.count >= 4
      && [0, 1].contains {
        file[$0] == 0 && file[$0 + 2] == 0 && file[1 - $0] != 0 && file[3 - $0] != 0
      }
    return hasMark || looksWide ? "the file is UTF-16 text; save it as UTF-8" : nil
  }

  private static func markLength(_ file: Span<UInt8>) -> Int {
    file.count >= 3 && file[0] == 0xef && file[1] == 0xbb && file[2] == 0xbf ? 3 : 0
  }

  private static func lineEnd(of file: Span<UInt8>, from start: Int) -> Int {
    var end = start
    while end < file.count, file[end] != UInt8(ascii: "\n") { end += 1 }
    return end
  }

  // Only before a line feed: a return elsewhere is a character that no key has.
  private static func withoutReturn(_ file: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    guard end < file.count, end > start, file[end - 1] == UInt8(ascii: "\r") else { return end }
    return end - 1
  }
}
