import Glibc
import Testing
import VaultFault

@testable import VaultCLI

@Suite struct LinuxSystemTests {
  @Test func aPipeIsNoTerminalInTheForeground() {
    #expect(System.linux.isInForeground() == false || System.linux.standardErrorIsTerminal())
  }

  @Test func theClockGoesForward() {
    let first = System.linux.now()
    #expect(System.linux.now() >= first)
  }

  @Test func argumentsOfThisProcessLeaveOutItsName() {
    #expect(Argument.ofThisProcess().count == CommandLine.arguments.count - 1)
  }

  @Test func aBrokenStandardErrorChangesNothing() async {
    await #expect(processExitsWith: .exitCode(65)) {
      signal(SIGPIPE, SIG_DFL)
      breakStandardError(closing: 0)
      speakAndEnd()
    }
    await #expect(processExitsWith: .exitCode(65)) {
      close(2)
      speakAndEnd()
    }
  }

  @Test func aReaderThatStoppedDoesNotHoldAToolBack() async {
    await #expect(processExitsWith: .exitCode(65)) {
      breakStandardError(closing: nil)
      alarm(60)
      for _ in 0..<200 { System.linux.say([UInt8](repeating: 0x61, count: 60_000)) }
      speakAndEnd()
    }
  }
}

// Descriptor 2 becomes the writing end of a pipe that nobody reads from.
private func breakStandardError(closing end: Int?) {
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  dup2(ends[1], 2)
  if let end { close(ends[end]) }
}

private func speakAndEnd() -> Never {
  let voice = Diagnostics(tool: "vault-hash", console: Console(.linux))
  voice.error(Fault(.tooLarge, "more than 5 bytes"))
  System.linux.exit(.badInput)
}
