import Testing
import VaultRecord

private func read(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

@Test(arguments: [
  "", " ", "{", "[", "[1,]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "01", "+1",
  "1.",
  ".5", "1e", "1e+", "-", "--1", "NaN", "nul", "tru", "\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
  "\"\\ud800\"", "\"\\ud800\\n\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"a\nb\"", "'a'", "1 2",
  "{} x", "\u{feff}{}", "[1 2]", "{\"a\"}", "{\"a\":}", "// x\n1", "1_0", "0x10", "-01", "[,1]",
])
func whatIsNotJSONIsRefused(_ text: String) {
  #expect(throws: JSONError.self) { try read(text) }
}

@Test(arguments: [
  "null", " true ", "false", "0", "-0", "1.10", "-1e+07", "123456789012345678901234567890",
  "\"\"", "\"\\u0000\"", "\"\\ud83d\\ude00\"", "[]", "{}", "[[],{}]", "{\"a\":{\"a\":1}}",
  "\"/\\/\"",
  "\t[ 1 , 2 ]\r\n", "\"\u{7f}é😀\"",
])
func whatIsJSONIsRead(_ text: String) throws {
  _ = try read(text)
}

@Test func aNameMayComeOnce() {
  #expect(throws: JSONError.self) { try read(#"{"a":1,"a":2}"#) }
  #expect(throws: JSONError.self) { try read(#"{"a":1,"\u0061":2}"#) }
  #expect(throws: JSONError.self) { try read(#"[{"b":0,"":1,"":2}]"#) }
}

@Test func namesOfOtherBytesAreOtherNames() throws {
  #expect(try read("{\"\u{e9}\":1,\"e\u{301}\":2}").members?.count == 2)
}

@Test func depthIsBounded() throws {
  let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
  _ = try read(deep)
  #expect(throws: JSONError.self) { try read("[" + deep + "]") }
  #expect(throws: JSONError.self) { try read(String(repeating: "{\"a\":", count: 100_000)) }
}

@Test func anObjectHasTenThousandMembersAtMost() throws {
  func object(_ count: Int) -> String {
    "{" + (0..<count).map { "\"\($0)\":[]" }.joined(separator: ",") + "}"
  }
  #expect(try read(object(10_000)).members?.count == 10_000)
  #expect(throws: JSONError.self) { try read(object(10_001)) }
  #expect(throws: JSONError.self) { try read("[" + object(10_001) + "]") }
}

@Test func onlyTheOuterLevelsAreKept() throws {
  let text = Array(#"{"a":[1,{"b":2}],"c":{"d":{"e":3}},"f":4}"#.utf8)
  let outer = try JSONReader.read(text, levels: 1)
  #expect(outer.members?.map(\.span) == (try JSONReader.read(text).members?.map(\.span)))
  guard case .passed? = outer["a"]?.form, case .passed? = outer["c"]?.form else {
    Issue.record("an inner value was kept")
    return
  }
  #expect(outer["f"]?.natural == 4)
  #expect(try JSONReader.read(text, levels: 2)["c"]?.members?.count == 1)
  for bad in [#"{"a":[{"b":1,"b":2}]}"#, #"{"a":[1,]}"#, #"{"a":{"b":}}"#] {
    #expect(throws: JSONError.self) { try JSONReader.read(Array(bad.utf8), levels: 1) }
  }
}

@Test(arguments: [
  [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80],
])
func bytesThatAreNotUTF8AreRefused(_ bytes: [UInt8]) {
  #expect(throws: JSONError.self) { try JSONReader.read([0x22] + bytes + [0x22]) }
}

@Test func numbersStayText() throws {
  guard case .number("1.10") = try read("1.10").form else {
    Issue.record("1.10 changed")
    return
  }
  #expect(try read("9223372036854775807").natural == 9_223_372_036_854_775_807)
  for text in ["9223372036854775808", "-1", "1.0", "1e3", "99999999999999999999"] {
    #expect(try read(text).natural == nil)
  }
}

@Test func spansAreTheValuesOwnBytes() throws {
  let text = Array(#" { "a" : [ 1.10 , "x\/y" ] , "b":null } "#.utf8)
  let members = try #require(try JSONReader.read(text).members)
  #expect(String(decoding: text[members[0].span], as: UTF8.self) == #""a" : [ 1.10 , "x\/y" ]"#)
  #expect(String(decoding: text[members[0].value.span], as: UTF8.self) == #"[ 1.10 , "x\/y" ]"#)
  #expect(String(decoding: text[members[1].value.span], as: UTF8.self) == "null")
}

@Test func errorsSayWhere() {
  #expect {
    try read(#"{"a":1,}"#)
  } throws: { error in
    (error as? JSONError)?.offset == 7
  }
}

@Test func noInputTraps() {
  var random = SplitMix(state: 1)
  let seeds = [
    #"{"a":[1,-2.5e+10,true,false,null],"b":{"c":"\ud83d\ude00\n\\\"é","d":[]}}"#,
    #"{"receipt":"vault/1","status":"stored","error":{"stage":"x","code":7}}"#,
    #"[[[[{"":0}]]],"\u0000\u001f","",0.1e-3]"#,
  ].map { Array($0.utf8) }
  var read = 0
  for round in 0..<30_000 {
    let text = mutated(seeds[round % seeds.count], &random)
    if let value = try? JSONReader.read(text) {
      read += 1
      #expect(value.span.upperBound <= text.count)
    }
  }
  #expect(read > 0)
}
