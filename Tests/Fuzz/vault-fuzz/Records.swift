import VaultFault
import VaultRecord
@testable import VaultStore

// JSON rows and receipts, and the XML of S3's answers.

func records(_ bytes: [UInt8]) {
  if let value = try? JSONReader.read(bytes) { checkSpans(value, bytes) }
  ignoring { () throws(Fault) in
    guard case .row(let row) = try RowLine(bytes) else { return }
    _ = try publicRow(row.raw)
  }
  ignoring { () throws(Fault) in
    let receipt = try Receipt(line: bytes)
    let again = try Receipt(line: receipt.line)
    require(again.line == receipt.line, "a receipt is written as another")
  }
  ignoring { () throws(Fault) in
    let line = try EnvelopeLine(bytes)
    guard let envelope = line.envelope else { return }
    let again = try EnvelopeLine(line.replacing(envelope: envelope))
    require(again.envelope == envelope && again.item == line.item, "a line is changed")
  }
}

// Every value is a JSON text of its own where its span says.
private func checkSpans(_ value: JSONValue, _ bytes: [UInt8]) {
  require((try? JSONReader.read(Array(bytes[value.span]))) != nil, "a span is not a value")
  guard case .object(let members) = value.form else { return }
  for member in members.prefix(4) { checkSpans(member.value, bytes) }
}

func answers(_ bytes: [UInt8]) {
  guard let root = XMLElement(document: bytes) else { return }
  require(!root.name.isEmpty, "an element without a name")
}
