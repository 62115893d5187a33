internal import VaultFault
internal import VaultText

/// A text as it is read: its lines in order, each a list of fields that is taken once.
///
/// A parser takes the lines that it knows in the order of the format, then ``finish(_:rewritten:)``
/// compares what it would write with what it read: so nothing can hide in a text.
///
/// A line is split when it comes next: a text of a million lines is refused at the first that is wrong.
/// Only lines of one value are longer than 16 KiB, so a longer one is split once: a million fields are
/// refused before they are made.
struct TextLines {
  private static let longestOfManyFields = 16 << 10
  /// The most bytes of all `x-` lines of a text, line ends included (FORMAT 1.1).
  private static let maxExtraBytes = 16_383

  private let source: [UInt8]
  private let fault: FaultKind
  private var line: [String]?
  private var rest = 0

  /// Begins to read a text; `fault` is the name of every error in it.
  init(_ bytes: Span<UInt8>, header: String?, fault: FaultKind) throws(Fault) {
    self.fault = fault
    source = bytes.copied()
    guard source.last == 0x0A, source.allSatisfy({ $0 == 0x0A || (0x20...0x7E).contains($0) })
    else { throw Fault(fault, "a text is not lines of printable ASCII") }
    advance()
    guard let header else { return }
    guard line == [header] else { throw Fault(fault, "a text does not begin with \(header)") }
    advance()
  }

  private mutating func advance() {
    guard let end = source[rest...].firstIndex(of: 0x0A) else {
      line = nil
      return
    }
    let splits = end - rest > TextLines.longestOfManyFields ? 1 : Int.max
    line = source[rest..<end]
      .split(separator: 0x20, maxSplits: splits, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    rest = end + 1
  }

  /// The name of the next line.
  var nextName: String? { line?.first }

  /// Takes the next line if it has this name, and returns its other fields.
  mutating func take(_ name: String) -> [String]? {
    guard let line, line.first == name else { return nil }
    advance()
    return Array(line.dropFirst())
  }

  /// Takes all lines that follow and that have this name.
  mutating func takeAll(_ name: String) -> [[String]] {
    var found: [[String]] = []
    while let fields = take(name) { found.append(fields) }
    return found
  }

  /// Takes all `x-` lines that follow, names included; a line without a value or with an ill-formed
  /// field, and one that is too much, is left, and so refused at the end.
  mutating func takeExtra() -> [[String]] {
    var found: [[String]] = []
    var room = TextLines.maxExtraBytes
    while let line, line[0].hasPrefix("x-"), line[0] != "x-", line.count > 1 {
      room -= line.reduce(0) { $0 + $1.utf8.count + 1 }
      guard room >= 0, line.allSatisfy({ TextField.unescape($0) != nil }) else { break }
      found.append(line)
      advance()
    }
    return found
  }

  /// Throws unless all lines were taken and `rewritten` is what was read.
  func finish(_ what: String, rewritten: String) throws(Fault) {
    guard line == nil, rewritten.utf8.elementsEqual(source) else { throw malformed(what) }
  }

  /// Throws unless all lines were taken and `rewritten` is what was read.
  func finish(_ what: String, rewritten: [UInt8]) throws(Fault) {
    guard line == nil, rewritten == source else { throw malformed(what) }
  }

  /// The fault of this text.
  func malformed(_ what: String) -> Fault { Fault(fault, "\(what) is not well formed") }
}

extension TextLines {
  /// Takes a line with one field of text of at most `limit` bytes.
  mutating func takeText(_ name: String, limit: Int = TextField.maxBytes) -> [UInt8]? {
    guard let fields = take(name), fields.count == 1, fields[0].utf8.count <= 3 * limit,
      let value = TextField.unescape(fields[0]), value.count <= limit
    else { return nil }
    return value
  }

  /// Takes a line with one field of text that is UTF-8 (FORMAT 1.1, string); any other is dropped, and
  /// so the text refused.
  mutating func takeString(_ name: String) -> String? {
    takeText(name).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Takes a line with one number.
  mutating func takeNumber(_ name: String) -> UInt64? {
    take(name).flatMap { $0.count == 1 ? TextField.number($0[0]) : nil }
  }

  /// Takes a line with one item id.
  mutating func takeItem(_ name: String) -> ItemID? {
    take(name).flatMap { $0.count == 1 ? ItemID($0[0]) : nil }
  }

  /// Takes a line with one hex value of `count` bytes.
  mutating func takeHex(_ name: String, count: Int) -> [UInt8]? {
    take(name).flatMap { $0.count == 1 ? bytes(hex: $0[0]) : nil }
      .flatMap { $0.count == count ? $0 : nil }
  }

  /// Takes a line whose fields are base64 values of these lengths.
  mutating func takeBase64(_ name: String, counts: [Int]) -> [[UInt8]]? {
    guard let values = take(name)?.map({ Base64.decode($0) ?? [] }),
      values.map(\.count) == counts
    else { return nil }
    return values
  }
}

/// A text as it is written.
struct TextWriter {
  private(set) var bytes: [UInt8] = []

  /// The text as a string.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Begins with the line that names the text and its version.
  init(header: String? = nil) {
    if let header { line(header) }
  }

  /// Writes a line of fields that need no escape.
  mutating func line(_ fields: String...) { line(fields: fields) }

  /// Writes a line of fields that need no escape.
  mutating func line(fields: [String]) {
    for (place, field) in fields.enumerated() {
      if place > 0 { bytes.append(0x20) }
      bytes += field.utf8
    }
    bytes.append(0x0A)
  }

  /// Writes a line with one field of text, when there is one.
  mutating func text(_ name: String, _ value: [UInt8]?) {
    guard let value else { return }
    bytes += name.utf8
    bytes.append(0x20)
    TextField.escape(value, to: &bytes)
    bytes.append(0x0A)
  }

  /// Writes a line with one field of text, when there is one.
  mutating func text(_ name: String, _ value: String?) { text(name, value.map { Array($0.utf8) }) }

  /// Writes a line with one number, when there is one.
  mutating func number(_ name: String, _ value: UInt64?) {
    if let value { line(name, String(value)) }
  }
}
