import Testing
import VaultFault
import VaultRecord

private func row(_ text: String) throws -> Row {
  guard case .row(let row) = try RowLine(Array(text.utf8)) else { throw Fault(.badRow, "an end") }
  return row
}

private func stripped(_ text: String) throws -> String {
  String(decoding: try publicRow(Array(text.utf8)), as: UTF8.self)
}

@Test(arguments: [
  (#"{"id":1.10,"u":"\u00e9\/"}"#, #"{"id":1.10,"u":"\u00e9\/"}"#),
  (#"{"name":"x"}"#, "{}"),
  (#"{"name":"x","id":1}"#, #"{"id":1}"#),
  (#"{"id":1,"name":"x"}"#, #"{"id":1}"#),
  (#"{"id":1,"name":"x","z":2}"#, #"{"id":1,"z":2}"#),
  (#"{ "id" : 1 , "name":"x" , "z" : 2 }"#, #"{ "id" : 1 , "z" : 2 }"#),
  (#"{ "id" : 1 , "sha256":"x", "sha3_256":null }"#, #"{ "id" : 1 }"#),
  (#" {"media_type":"a", "id":1,"name":"b"} "#, #"{"id":1}"#),
  (#"{"n\u0061me":"x","id":{"name":"kept"}}"#, #"{"id":{"name":"kept"}}"#),
  (#"{"name":1,"media_type":2,"sha256":3,"sha3_256":4,"data_sha256":5}"#, "{}"),
])
func privateMembersAreCutOutAndNothingElse(_ row: String, _ rest: String) throws {
  #expect(try stripped(row) == rest)
}

@Test(arguments: [
  (#""https://h/a/b.dcm?X-Amz-Signature=s3cret""#, #""https://h/a/b.dcm?hidden""#),
  (#""https:\/\/h\/a\u003fs3cret=1""#, #""https://h/a?hidden""#),
  (#""HTTP://user:s3cret@h/a""#, #""http://h/a?hidden""#),
  (#""http://user:s3cret@user@h?s3cret#s3cret""#, #""http://h?hidden""#),
  (#""https://h/a#s3cret""#, #""https://h/a?hidden""#),
  (#""https://s3cret@h\\@i""#, #""https://h\\@i?hidden""#),
  (#""https:\/\/h\/a@b""#, #""https:\/\/h\/a@b""#),
  (#""s3://b/a?versionId=1""#, #""s3://b/a?versionId=1""#),
  (#""file?x=1""#, #""file?x=1""#),
])
func whatAURLPermitsStaysOutOfARow(_ source: String, _ shown: String) throws {
  for member in ["source", "object"] {
    let text = #"{ "id":1.10, "\#(member)" : \#(source) , "note":"https://h/?kept"}"#
    let rest = #"{ "id":1.10, "\#(member)" : \#(shown) , "note":"https://h/?kept"}"#
    #expect(try stripped(text) == rest)
    #expect(try stripped(rest) == rest)
    #expect(try row(text).isReadFromSecret == (source != shown))
  }
}

private let privateNames = ["name", "media_type", "sha3_256", "sha256", "data_sha256"]

@Test func aStrippedRowIsStillJSONWhateverItWas() throws {
  var random = SplitMix(state: 3)
  let seed = Array(
    #"{"name":"x", "source":"http://h/?s","id":1.10,"sha256":"y","k":[{"name":2}] , "media_type":"z"}"#
      .utf8)
  for _ in 0..<10_000 {
    guard let rest = try? publicRow(mutated(seed, &random)) else { continue }
    let members = try #require(try JSONReader.read(rest).members)
    #expect(!members.contains { privateNames.contains($0.name) })
    #expect(try publicRow(rest) == rest)
  }
}

@Test func aRowMayNotBringALineEndIntoAReceipt() {
  #expect(throws: Fault.self) { try publicRow(Array("{\"id\":\n1}".utf8)) }
}

@Test func aRowSaysWhereAndWhat() throws {
  let item = "0f8fad5b-d9cb-469f-a165-70867728950e"
  let read = try row(
    #" {"source":"s3://b/k","item":"\#(item)","target":"a/b","bytes":12,"name":null,"more":[1]} "#)
  #expect(read.source == "s3://b/k")
  #expect(read.item == item)
  #expect(read.target == "a/b")
  #expect(read.bytes == 12)
  #expect(read.name == nil)
  #expect(read.raw.first == UInt8(ascii: "{") && read.raw.last == UInt8(ascii: "}"))
}

@Test func aReceiptIsARow() throws {
  var receipt = Receipt(.stored)
  receipt.object = "/x"
  receipt.objectBytes = 9
  let read = try row(String(decoding: receipt.line, as: UTF8.self))
  #expect(read.source == "/x")
  #expect(read.status == "stored")
  #expect(read.objectBytes == 9)
}

@Test(arguments: [
  "", "null", "[1]", "7", "{}", #"{"source":1}"#, #"{"source":null}"#, #"{"source":""}"#,
  #"{"source":"a\u0000b"}"#, #"{"source":"x","source":"y"}"#, #"{"source":"x","bytes":"7"}"#,
  #"{"source":"x","bytes":-1}"#, #"{"source":"x","bytes":1e3}"#, #"{"source":"x","bytes":1.0}"#,
  #"{"source":"x","item":"0F8FAD5B-D9CB-469F-A165-70867728950E"}"#,
  #"{"source":"x","item":"00000000-0000-0000-0000-000000000000"}"#,
  #"{"source":"x","sha3_256":"12"}"#, #"{"source":"x","target":7}"#, #"{"end":true}"#,
  #"{"end":true,"rows":"3"}"#, #"{"end":1,"source":"x"}"#,
])
func aBadRowIsAFault(_ text: String) {
  #expect { try RowLine(Array(text.utf8)) } throws: { ($0 as? Fault)?.kind == .badRow }
}

@Test func aRowHasAtMost256KiBAndIsUTF8() throws {
  let room = Row.maximumBytes - #"{"source":"a","x":""}"#.utf8.count
  func text(_ count: Int) -> String {
    #"{"source":"a","x":"\#(String(repeating: "x", count: count))"}"#
  }
  _ = try row(text(room))
  #expect(try stripped(text(room)) == text(room))
  #expect(throws: Fault.self) { try row(text(room + 1)) }
  #expect(throws: Fault.self) { try stripped(text(room + 1)) }
  #expect(throws: Fault.self) { try RowLine(Array(#"{"source":""#.utf8) + [0xff, 0x22, 0x7d]) }
}

@Test(arguments: ["source", "object", "target", "name", "media_type", "envelope"])
func aMemberThatGoesIntoALabelHasAtMost16KiB(_ name: String) throws {
  func text(_ count: Int) -> String {
    let start = name == "source" ? "" : #""source":"a","#
    return "{\(start)\"\(name)\":\"\(String(repeating: "x", count: count))\"}"
  }
  _ = try row(text(16_384))
  #expect { try row(text(16_385)) } throws: { ($0 as? Fault)?.kind == .badRow }
}

@Test func theLastLineCountsTheRows() throws {
  guard case .end(let rows) = try RowLine(Array(#"{"end":true,"rows":10000}"#.utf8)) else {
    throw Fault(.badRow, "not an end")
  }
  #expect(rows == 10_000)
}

@Test func noVerdictDrivesATerminal() throws {
  var verdict = Verdict(.consistent(true), .consistent)
  verdict.object = "\u{1b}[2J\u{7f}\u{9b}31m\u{80}\u{9f}\u{a0}é"
  let line = verdict.line
  #expect(String(decoding: line, as: UTF8.self).contains(#"\u001b[2J\u007f\u009b31m\u0080\u009f"#))
  #expect(try JSONReader.read(line)["object"]?.string == verdict.object)
}
