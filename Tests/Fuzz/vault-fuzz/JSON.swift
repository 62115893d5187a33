@testable import VaultRecord

// What is accepted is richer than what would be written by white space between tokens, and by the
// ways to write a string or a number. So two forms are held: with the text's own strings and numbers
// the very bytes come back, white space apart; with strings written anew it is the same value, and
// from then on the same bytes.

func checkJSON(_ bytes: [UInt8]) {
  guard let value = try? JSONReader.read(bytes) else { return }
  let own = written(value) { Array(bytes[$0]) }
  require(own == withoutSpace(bytes), "JSON is written back as other bytes")
  let first = written(value, own: nil)
  guard let again = try? JSONReader.read(first) else {
    return require(false, "what is written is no JSON")
  }
  require(isSame(value, again), "JSON is written as another value")
  require(written(again, own: nil) == first, "JSON is written in two ways")
  checkSpans(value, bytes)
  checkLevels(value, bytes)
}

// With fewer levels the same texts are good, and the outer values have the same spans.
private func checkLevels(_ value: JSONValue, _ bytes: [UInt8]) {
  guard let outer = try? JSONReader.read(bytes, levels: 1) else {
    return require(false, "fewer levels make a text bad")
  }
  let spans = value.members?.map(\.span)
  require(outer.members?.map(\.span) == spans, "fewer levels give other members")
}

// Every value is a JSON text of its own where its span says.
private func checkSpans(_ value: JSONValue, _ bytes: [UInt8]) {
  require((try? JSONReader.read(Array(bytes[value.span]))) != nil, "a span is not a value")
  for member in (value.members ?? []).prefix(4) { checkSpans(member.value, bytes) }
}

// `own` gives the text's own bytes of a string, which a member's name is too.
private func written(_ value: JSONValue, own: ((Range<Int>) -> [UInt8])?) -> [UInt8] {
  switch value.form {
  case .null: Array("null".utf8)
  case .bool(let truth): Array((truth ? "true" : "false").utf8)
  case .number(let text): Array(text.utf8)
  case .string(let text): own?(value.span) ?? JSONWriter.quoted(text)
  case .array(let values): list("[", values.map { written($0, own: own) }, "]")
  case .passed: []
  case .object(let members):
    list("{", members.map { name($0, own) + [0x3A] + written($0.value, own: own) }, "}")
  }
}

private func name(_ member: JSONMember, _ own: ((Range<Int>) -> [UInt8])?) -> [UInt8] {
  guard let text = own?(member.span) else { return JSONWriter.quoted(member.name) }
  return Array(text[...closingQuote(text, from: 0)])
}

private func list(_ open: Unicode.Scalar, _ items: [[UInt8]], _ close: Unicode.Scalar) -> [UInt8] {
  [UInt8(ascii: open)] + items.joined(separator: [0x2C]) + [UInt8(ascii: close)]
}

private func closingQuote(_ text: [UInt8], from start: Int) -> Int {
  var at = start + 1
  while text[at] != UInt8(ascii: "\"") { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
  return at
}

private func withoutSpace(_ text: [UInt8]) -> [UInt8] {
  var out: [UInt8] = []
  var at = 0
  while at < text.count {
    let end = text[at] == UInt8(ascii: "\"") ? closingQuote(text, from: at) : at
    if ![0x20, 0x09, 0x0A, 0x0D].contains(text[at]) { out += text[at...end] }
    at = end + 1
  }
  return out
}

// By bytes: to a string two spellings of one letter would be equal.
func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
  switch (left.form, right.form) {
  case (.null, .null): true
  case (.bool(let left), .bool(let right)): left == right
  case (.number(let left), .number(let right)): left.utf8.elementsEqual(right.utf8)
  case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
  case (.array(let left), .array(let right)):
    left.count == right.count && zip(left, right).allSatisfy(isSame)
  case (.object(let left), .object(let right)):
    left.count == right.count
      && zip(left, right).allSatisfy {
        $0.name.utf8.elementsEqual($1.name.utf8) && isSame($0.value, $1.value)
      }
  default: false
  }
}
