import VaultFault
import VaultRecord

// JSON rows, receipts, and the lines whose envelope is replaced.

func records(_ bytes: [UInt8]) {
  checkJSON(bytes)
  ignoring { () throws(Fault) in
    guard case .row(let row) = try RowLine(bytes) else { return }
    require(bytes.firstRange(of: row.raw) != nil, "a row is not the bytes that came")
    checkPublicRow(row.raw)
  }
  ignoring { () throws(Fault) in
    var rows: UInt64?
    _ = try DropRow.read(bytes, rows: &rows)
  }
  ignoring { () throws(Fault) in
    let receipt = try Receipt(line: bytes)
    let again = try? Receipt(line: receipt.line)
    require(again == receipt, "a receipt is written as another")
    require(again?.line == receipt.line, "a receipt is written in two ways")
  }
  ignoring { () throws(Fault) in checkReplacing(try EnvelopeLine(bytes), bytes) }
}

// What is left of a row: every member but the private ones, in order, each with its own bytes.
private func checkPublicRow(_ raw: [UInt8]) {
  guard let left = try? publicRow(raw) else { return }
  require((try? publicRow(left)) == left, "a public row has something private")
  let gone = ["name", "media_type", "sha3_256", "sha256"]
  let wanted = members(raw).filter { member in
    !gone.contains { member.name.utf8.elementsEqual($0.utf8) }
  }
  require(members(left).map(\.text) == wanted.map(\.text), "a public row has other members")
}

private func members(_ row: [UInt8]) -> [(name: String, text: [UInt8])] {
  let members = (try? JSONReader.read(row))?.members ?? []
  return members.map { ($0.name, Array(row[$0.span])) }
}

// Only the envelope's own bytes change, and they come back.
private func checkReplacing(_ line: EnvelopeLine, _ bytes: [UInt8]) {
  guard let envelope = line.envelope else { return }
  let first = line.replacing(envelope: envelope)
  let other = try? EnvelopeLine(line.replacing(envelope: "another\n"))
  require(other?.envelope == "another\n" && other?.item == line.item, "an envelope is not replaced")
  require(other?.replacing(envelope: envelope) == first, "a line is changed")
  let again = try? EnvelopeLine(first)
  require(again?.envelope?.utf8.elementsEqual(envelope.utf8) == true, "an envelope is changed")
  require(again?.body == line.body, "a body is changed")
  let same = zip(first, bytes).prefix { $0 == $1 }.count
  let rest = zip(first.reversed(), bytes.reversed()).prefix { $0 == $1 }.count
  let text = (try? JSONReader.read(bytes))?["envelope"]?.span ?? 0..<0
  require(same >= text.lowerBound, "a line is changed before its envelope")
  require(rest >= bytes.count - text.upperBound, "a line is changed after its envelope")
}
