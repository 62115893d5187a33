import Testing
import VaultCLI
import VaultFault

/// A wrong command line, what is said about it, and what is advised.
struct BadLine: Sendable, CustomTestStringConvertible {
  let words: [String]
  let reason: String
  let hint: String?
  var command = Sample.tool

  var testDescription: String { words.joined(separator: " ") }

  init(_ words: String, _ reason: String, hint: String? = nil, _ command: Command = Sample.tool) {
    self.init(
      words: words.isEmpty ? [] : words.split(separator: " ").map(String.init), reason, hint: hint,
      command)
  }

  init(words: [String], _ reason: String, hint: String? = nil, _ command: Command = Sample.tool) {
    self.words = words
    self.reason = reason
    self.hint = hint
    self.command = command
  }
}

private let sizeForms = "a size is a number of bytes, or one with KiB, MiB, GiB or TiB"
private let digitsOnly = "a number is written in decimal digits only"
private let uuidForm = "a UUID is 36 characters, lower case, and not all zeros"
private let rangeForms = "a range is A-B, A- or -N, counted from byte 0"
private let zeroID = "00000000-0000-0000-0000-000000000000"
private let upperID = "0A0B0C0D-0000-4000-8000-00000000000F"
private let digest63 = String(repeating: "a", count: 63)

private let unknownOptions = [
  BadLine("--foo", #"unknown option "--foo""#),
  BadLine("--foo=secret", #"unknown option "--foo""#),
  BadLine(
    "--max-byte=1", #"unknown option "--max-byte""#,
    hint: #"names are not abbreviated: write "--max-bytes""#),
  BadLine(
    "--ver", #"unknown option "--ver""#,
    hint: #"names are not abbreviated: write "--version" or "--verbose""#),
  BadLine(
    "--h", #"unknown option "--h""#,
    hint: #"names are not abbreviated: write "--header" or "--help""#),
  BadLine("--ouptut x", #"unknown option "--ouptut""#, hint: #"did you mean "--output"?"#),
  BadLine("--max_bytes 1", #"unknown option "--max_bytes""#, hint: #"did you mean "--max-bytes"?"#),
  BadLine("--colour=red", #"unknown option "--colour""#, hint: #"did you mean "--color"?"#),
  BadLine("--HELP", #"unknown option "--HELP""#),
  BadLine("--=x", #"unknown option "--""#),
  BadLine("--é", #"unknown option "--é""#),
  BadLine("-x", #"unknown option "-x""#),
  BadLine("-qx", #"unknown option "-x""#),
  BadLine("-é", #"unknown option "-é""#),
  BadLine("-1", #"unknown option "-1""#),
  BadLine("-force", #"unknown option "-force""#, hint: #"did you mean "--force"?"#),
  BadLine("-output=x", #"unknown option "-output""#, hint: #"did you mean "--output"?"#),
  BadLine("-qforce -ox", #"option "--output" is given twice"#),
  BadLine("-raw", #"unknown option "-raw""#, hint: #"did you mean "--raw"?"#),
  BadLine("-=", #"unknown option "-=""#),
  BadLine("---", #"unknown option "---""#),
]

private let values = [
  BadLine("--raw=yes", #"option "--raw" takes no value"#),
  BadLine("--raw=", #"option "--raw" takes no value"#),
  BadLine("--help=me", #"option "--help" takes no value"#),
  BadLine("--item", #"option "--item" needs a value"#, hint: #"write "--item=UUID""#),
  BadLine("--item --raw", #"option "--item" needs a value"#, hint: #"write "--item=UUID""#),
  BadLine("--output --", #"option "--output" needs a value"#, hint: #"write "--output=FILE""#),
  BadLine("-o", #"option "--output" needs a value"#, hint: #"write "--output=FILE""#),
  BadLine("-qo", #"option "--output" needs a value"#, hint: #"write "--output=FILE""#),
  BadLine("-o -q", #"option "--output" needs a value"#, hint: #"write "--output=FILE""#),
  BadLine("--name -q", #"option "--name" needs a value"#, hint: #"write "--name=NAME""#),
  BadLine("-o=x", #"option "-o" takes no "=""#, hint: #"write "-o FILE" or "--output=FILE""#),
  BadLine("--output=", #"option "--output": the value is empty"#),
  BadLine(words: ["--name", ""], #"option "--name": the value is empty"#),
  BadLine(words: ["--max-bytes", ""], #"option "--max-bytes": the value is empty"#),
  BadLine("-oa -ob", #"option "--output" is given twice"#),
  BadLine("--name=a --name=a", #"option "--name" is given twice"#),
  BadLine("--color=red --color=blue", #"option "--color" is given twice"#),
  BadLine("--jobs=1 -j2", #"option "--jobs" is given twice"#),
]

private let numbers = [
  BadLine("--max-bytes=1e3", #"option "--max-bytes": "1e3" is not a size"#, hint: sizeForms),
  BadLine("--max-bytes -1", #"option "--max-bytes": "-1" is not a size"#, hint: sizeForms),
  BadLine("--max-bytes=+1", #"option "--max-bytes": "+1" is not a size"#, hint: sizeForms),
  BadLine("--max-bytes=1K", #"option "--max-bytes": "1K" is not a size"#, hint: sizeForms),
  BadLine("--max-bytes=1MB", #"option "--max-bytes": "1MB" is not a size"#, hint: sizeForms),
  BadLine("--max-bytes=1mib", #"option "--max-bytes": "1mib" is not a size"#, hint: sizeForms),
  BadLine("--max-bytes=1.5GiB", #"option "--max-bytes": "1.5GiB" is not a size"#, hint: sizeForms),
  BadLine("--max-bytes=MiB", #"option "--max-bytes": "MiB" is not a size"#, hint: sizeForms),
  BadLine("--max-bytes=0x10", #"option "--max-bytes": "0x10" is not a size"#, hint: sizeForms),
  BadLine("--max-bytes=٣", #"option "--max-bytes": "٣" is not a size"#, hint: sizeForms),
  BadLine(
    words: ["--max-bytes", "1 KiB"], #"option "--max-bytes": "1 KiB" is not a size"#,
    hint: sizeForms),
  BadLine(
    "--max-bytes=99999999999999999999",
    #"option "--max-bytes": "99999999999999999999" is too large"#),
  BadLine(
    "--max-bytes=9223372036854775808",
    #"option "--max-bytes": "9223372036854775808" is too large"#),
  BadLine("--max-bytes=8388608TiB", #"option "--max-bytes": "8388608TiB" is too large"#),
  BadLine("--part-size=5242879", #"option "--part-size": "5242879" is less than 5MiB"#),
  BadLine("--part-size=6GiB", #"option "--part-size": "6GiB" is more than 5GiB"#),
  BadLine("--jobs=0", #"option "--jobs": "0" is not between 1 and 64"#),
  BadLine("-j65", #"option "--jobs": "65" is not between 1 and 64"#),
  BadLine("--jobs=four", #"option "--jobs": "four" is not a number"#, hint: digitsOnly),
  BadLine("--jobs=1e3", #"option "--jobs": "1e3" is not a number"#, hint: digitsOnly),
  BadLine("--jobs=-1", #"option "--jobs": "-1" is not a number"#, hint: digitsOnly),
  BadLine(
    "--jobs=99999999999999999999",
    #"option "--jobs": "99999999999999999999" is too large"#),
  BadLine(
    "--retries=9223372036854775808",
    #"option "--retries": "9223372036854775808" is too large"#),
  BadLine("--password-fd=x", #"option "--password-fd": "x" is not a number"#, hint: digitsOnly),
  BadLine(
    "--password-fd=1048576",
    #"option "--password-fd": "1048576" is not between 0 and 1048575"#),
]

private let forms = [
  BadLine("--item=x", #"option "--item": "x" is not a UUID"#, hint: uuidForm),
  BadLine("--item=\(zeroID)", #"option "--item": "\#(zeroID)" is not a UUID"#, hint: uuidForm),
  BadLine("--item=\(upperID)", #"option "--item": "\#(upperID)" is not a UUID"#, hint: uuidForm),
  BadLine(
    "--expect-sha3-256=\(digest63)",
    #"option "--expect-sha3-256": "\#(digest63)" is not 64 hex digits"#),
  BadLine(
    "--expect-sha3-256=\(digest63)g",
    #"option "--expect-sha3-256": "\#(digest63)g" is not 64 hex digits"#),
  BadLine("--color=pink", #"option "--color": "pink" is not one of red, green, blue"#),
  BadLine("--disclose=red,pink", #"option "--disclose": "pink" is not one of red, green, blue"#),
  BadLine("--disclose=red,", #"option "--disclose": "" is not one of red, green, blue"#),
  BadLine("--range=5", #"option "--range": "5" is not a range"#, hint: rangeForms),
  BadLine("--range=9-1", #"option "--range": "9-1" is not a range"#, hint: rangeForms),
  BadLine("--range -0", #"option "--range": "-0" is not a range"#, hint: rangeForms),
]

private let wholeLines = [
  BadLine("--", #"no command after "--""#),
  BadLine("a", #"unexpected operand "a" without "--check""#),
  BadLine("-", #"unexpected operand "-" without "--check""#),
  BadLine("--raw --check", #"options "--raw" and "--check" exclude each other"#),
  BadLine("--disclose=red", #"option "--disclose" needs "--name" or "--item""#),
  BadLine("-ox -- true", #"option "--output" excludes a command after "--""#),
  BadLine("", "no command given", hint: "the commands are new, wrap, space", Keys.tool),
  BadLine("space", "no command given", hint: "the commands are new", Keys.tool),
  BadLine("make", #"unknown command "make""#, hint: "the commands are new, wrap, space", Keys.tool),
  BadLine("spcae", #"unknown command "spcae""#, hint: #"did you mean "space"?"#, Keys.tool),
  BadLine("-o x new", #"unknown option "-o""#, Keys.tool),
  BadLine("new x", #"unexpected operand "x""#, Keys.tool),
  BadLine("wrap -rK", "no SOURCE given", Keys.tool),
  BadLine("wrap S", #"option "--recipient" is required"#, Keys.tool),
  BadLine("wrap -rK S T", #"unexpected operand "T""#, Keys.tool),
  BadLine(
    "space new",
    #"one of the options "--password-file" or "--access-key-file" is required"#, Keys.tool),
]

@Suite struct UsageErrorTests {
  @Test(arguments: unknownOptions + values + numbers + forms + wholeLines)
  func aWrongLineIsNamed(line: BadLine) throws {
    let fault = try #require(throws: Fault.self) { _ = try parse(line.words, line.command) }
    #expect(fault.kind == .usage)
    #expect(fault.reason == line.reason)
    #expect(fault.hint == line.hint)
  }

  @Test func theTableIsLarge() {
    #expect((unknownOptions + values + numbers + forms + wholeLines).count >= 60)
  }

  @Test func textThatIsNotUTF8IsRefused() throws {
    let word = Argument(bytes: Array("--name=".utf8) + [0xff])
    let fault = try #require(throws: Fault.self) {
      _ = try Parser.parse([word], for: Sample.tool)
    }
    #expect(fault.kind == .usage)
    #expect(fault.reason.hasSuffix("is not UTF-8"))
  }

  @Test func noBytesAtAllMakeTheParserTrap() {
    var generator = SystemRandomNumberGenerator()
    let alphabet: [UInt8] = Array("--==onqrjfi19KMGiB. ".utf8) + [0xff, 0xc3, 0xa9, 0x00]
    let names = Sample.tool.options.map { Array(("--" + $0.name).utf8) }
    for _ in 0..<5000 {
      let line = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        let name = Bool.random(using: &generator) ? names.randomElement(using: &generator)! : []
        let rest = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
          alphabet.randomElement(using: &generator)!
        }
        return Argument(bytes: name + rest)
      }
      _ = try? Parser.parse(line, for: Sample.tool)
    }
  }
}
