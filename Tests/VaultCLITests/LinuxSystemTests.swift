import Testing
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
}
