import Testing
import VaultCLI

@Suite struct HelpTests {
  @Test func helpIsThisText() {
    #expect(Help.text(of: Sample.tool) == golden)
  }

  @Test func helpListsCommands() {
    let expected = """
      vault-keys space: care for spaces

      usage: vault-keys space COMMAND [OPTION]...

      Commands:
        new                       make a space

      General:
        -h, --help                show this help and exit
        -V, --version             show the version; with -v, the protections too
        -v, --verbose             say more on standard error

      """
    #expect(Help.text(of: Keys.space) == expected)
  }

  @Test func noLineIsWiderThanEightyColumns() {
    for command in [Sample.tool, Keys.tool, Keys.new, Keys.wrap, Keys.spaceNew] {
      for line in Help.text(of: command).split(separator: "\n") {
        #expect(line.count <= 80)
        #expect(!line.hasSuffix(" "))
      }
    }
  }
}

private let golden = """
  vault-sample: try every form of option on one tool

  usage: vault-sample [OPTION]... [FILE]...
         vault-sample [OPTION]... -- COMMAND ARG...

  Limits:
        --max-bytes=SIZE      abort past this size
        --part-size=SIZE      cut parts of this size (5MiB to 5GiB; default: 8MiB)
    -j, --jobs=N              parts in flight (1 to 64; default: 4)
        --retries=N           tries after the first

  What:
        --item=UUID           the id of the item (default: a random one)
        --expect-sha3-256=HEX
                              refuse another digest
    -n, --name=NAME           the name of the file
        --header=NAME:VALUE   send this header (repeatable)
        --color=COLOR         the color of the lid (red, green, blue; default:
                              red)
        --as=COLOR            the color of the shade (red, green, blue)
        --disclose=WHAT       say this in the clear (red, green, blue; repeatable)
        --range=A-B           only these bytes

  Files:
    -o, --output=FILE         where to write
    -i, --identity=FILE       a file of secret keys (repeatable)
        --password-fd=FD      read the password here

  Modes:
    -r, --raw                 take bytes as they are
    -q, --quiet               say less
    -f, --force               say nothing
        --check               compare sums

  General:
    -h, --help                show this help and exit
    -V, --version             show the version; with -v, the protections too
    -v, --verbose             say more on standard error

  A note that is long enough to need a second line, since help is never wider than
  eighty columns, whatever it has to say.

  Examples:
    vault-sample --max-bytes=1GiB <scan.dcm >scan.plain

  Exit codes:
    0      all done and proven
    64     the command line is wrong
    65     the input is malformed, forged, damaged, or not the expected one
    128+n  ended by signal n

  """
