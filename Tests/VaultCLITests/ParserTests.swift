import Testing
import VaultCLI
import VaultFault
import VaultFrame

@Suite struct ParserTests {
  @Test func emptyLineGivesDefaults() throws {
    let arguments = try parse([])
    #expect(arguments[Sample.maxBytes] == nil)
    #expect(arguments[Sample.partSize] == 8 << 20)
    #expect(arguments[Sample.jobs] == 4)
    #expect(arguments[Sample.color] == .red)
    #expect(arguments[Sample.shade] == nil)
    #expect(arguments[Sample.headers].isEmpty)
    #expect(arguments[Sample.raw] == false)
    #expect(arguments.operands.isEmpty)
    #expect(arguments.childCommand == nil)
  }

  @Test(arguments: [
    ["--name=x"], ["--name", "x"], ["-nx"], ["-n", "x"], ["-qfnx"], ["-qfn", "x"],
  ])
  func aValueMayBeAttachedOrNext(words: [String]) throws {
    #expect(try parse(words)[Sample.name] == "x")
  }

  @Test func clustersSetEveryFlag() throws {
    let arguments = try parse(["-qf"])
    #expect(arguments[Sample.quiet] && arguments[Sample.force])
    #expect(!arguments[Sample.raw])
  }

  @Test func everyFormIsReadByItsType() throws {
    let id = "0a0b0c0d-0000-4000-8000-00000000000f"
    let arguments = try parse([
      "--max-bytes=2KiB", "--part-size", "5GiB", "-j64", "--retries=0", "--item", id,
      "--expect-sha3-256", String(repeating: "aF", count: 32), "--header=a:b", "--header", "c:d=e",
      "--color=blue", "--as", "green", "--disclose=red,blue", "--disclose", "green", "--range",
      "-500",
      "-o", "a b", "-i-", "-i", "-", "--password-fd=3",
    ])
    #expect(arguments[Sample.maxBytes] == 2048)
    #expect(arguments[Sample.partSize] == 5 << 30)
    #expect(arguments[Sample.jobs] == 64)
    #expect(arguments[Sample.retries] == 0)
    #expect(arguments[Sample.item] == id)
    #expect(arguments[Sample.digest] == [UInt8](repeating: 0xaf, count: 32))
    #expect(arguments[Sample.headers] == ["a:b", "c:d=e"])
    #expect(arguments[Sample.color] == .blue)
    #expect(arguments[Sample.shade] == .green)
    #expect(arguments[Sample.disclose] == [.red, .blue, .green])
    #expect(arguments[Sample.range] == .last(500))
    #expect(arguments[Sample.output] == Argument("a b"))
    #expect(arguments[Sample.identities] == [Argument("-"), Argument("-")])
    #expect(arguments[Sample.password] == 3)
    #expect(arguments.descriptors == [3])
    #expect(arguments.has(Sample.range) && !arguments.has(Sample.raw))
  }

  @Test func optionsMayFollowOperands() throws {
    let arguments = try parse(["a", "--check", "-", "-q", "b"])
    #expect(arguments.operands == [Argument("a"), Argument("-"), Argument("b")])
    #expect(arguments[Sample.check] && arguments[Sample.quiet])
  }

  @Test func afterTwoDashesAllIsTheCommand() throws {
    let arguments = try parse(["-q", "--", "tar", "--help", "--", "-x"])
    #expect(arguments.childCommand == ["tar", "--help", "--", "-x"].map { Argument($0) })
    #expect(!arguments[StandardOptions.help])
  }

  @Test func afterTwoDashesAllAreOperandsWhereNoCommandIsTaken() throws {
    let arguments = try parse(["wrap", "-rK", "--", "-r"], Keys.tool)
    #expect(arguments.operands == [Argument("-r")])
  }

  @Test func commandsAreChosenByWords() throws {
    #expect(try parse(["new", "-o", "k"], Keys.tool).command == Keys.new)
    #expect(try parse(["space", "new", "--password-file=p"], Keys.tool).command == Keys.spaceNew)
    #expect(try parse(["-v", "space", "-h"], Keys.tool).command == Keys.space)
  }

  @Test func bytesOfAPathSurvive() throws {
    let path = Argument(bytes: [0x2f, 0xff, 0xfe, 0x3d, 0x80])
    let prefix = Array("--output=".utf8)
    for words in [
      [Argument("-o"), path], [Argument(bytes: prefix + path.bytes)],
      [Argument(bytes: Array("-o".utf8) + path.bytes)],
    ] {
      let arguments = try Parser.parse(words, for: Sample.tool)
      #expect(arguments[Sample.output] == path)
    }
    let arguments = try Parser.parse([Argument("--check"), path], for: Sample.tool)
    #expect(arguments.operands == [path])
  }

  @Test func helpSilencesWhatIsMissing() throws {
    #expect(try parse(["wrap", "--help"], Keys.tool)[StandardOptions.help])
    #expect(try parse(["-V"], Keys.tool)[StandardOptions.version])
  }

  @Test func attachedValuesMayLookLikeOptions() throws {
    let arguments = try parse(["--output=-x", "--name=--raw"])
    #expect(arguments[Sample.output] == Argument("-x"))
    #expect(arguments[Sample.name] == "--raw")
  }
}

@Suite struct ByteRangeTests {
  @Test func rangesHaveTheMeaningOfHTTP() {
    #expect(ByteRange("0-0")?.resolved(in: 10) == 0..<1)
    #expect(ByteRange("3-99")?.resolved(in: 10) == 3..<10)
    #expect(ByteRange("0-18446744073709551615")?.resolved(in: 10) == 0..<10)
    #expect(ByteRange("9-")?.resolved(in: 10) == 9..<10)
    #expect(ByteRange("10-")?.resolved(in: 10) == nil)
    #expect(ByteRange("-3")?.resolved(in: 10) == 7..<10)
    #expect(ByteRange("-30")?.resolved(in: 10) == 0..<10)
    #expect(ByteRange("-3")?.resolved(in: 0) == 0..<0)
    #expect(ByteRange("0-")?.resolved(in: 0) == nil)
  }

  @Test(arguments: ["", "-", "5", "-0", "2-1", "+1-2", "1--2", "1-2-3", "a-b", " 1-2", "1-2,4-5"])
  func otherFormsAreNoRange(text: String) { #expect(ByteRange(text) == nil) }
}
