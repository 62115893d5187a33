import Testing
import VaultCLI
import VaultFault

private func run(
  _ words: [String], on machine: Recorder = Recorder(),
  _ body: @escaping (Arguments, Diagnostics) throws(Fault) -> VaultFault.ExitStatus = { _, _ in
    .success
  }
) -> Tool.Ending {
  Tool(Sample.tool, on: machine.system, protections: { ["no new privileges: yes"] })
    .run(words.map { Argument($0) }, body)
}

@Suite struct ToolTests {
  @Test func helpGoesToStandardOutput() {
    let machine = Recorder()
    #expect(run(["--help"], on: machine) == .status(.success))
    #expect(machine.written == Help.text(of: Sample.tool))
    #expect(machine.said.isEmpty)
  }

  @Test func helpThatCannotBeWrittenIsAnError() {
    let machine = Recorder(brokenOutput: true)
    #expect(run(["--help"], on: machine) == .status(.localIO))
    #expect(
      machine.said == [
        "vault-sample: error: cannot write standard output: no space left on device\n"
      ])
  }

  @Test func versionListsProtectionsWhenVerbose() {
    let machine = Recorder()
    #expect(run(["--version"], on: machine) == .status(.success))
    #expect(machine.written == "vault-sample \(Tool.version)\n")
    let verbose = Recorder()
    #expect(run(["-vV"], on: verbose) == .status(.success))
    #expect(verbose.written == "vault-sample \(Tool.version)\nno new privileges: yes\n")
  }

  @Test func aUsageFaultPointsToHelp() {
    let machine = Recorder()
    #expect(run(["--foo"], on: machine) == .status(.usage))
    #expect(
      machine.said == [
        "vault-sample: error: unknown option \"--foo\"\n",
        "vault-sample: hint: \"vault-sample --help\" shows the options\n",
      ])
    #expect(machine.written.isEmpty)
  }

  @Test func aFaultBecomesItsStatus() {
    for kind in FaultKind.allCases where kind != .cancelled {
      #expect(run([]) { _, _ throws(Fault) in throw Fault(kind, "x") } == .status(kind.status))
    }
  }

  @Test func aCancelledRunEndsByItsSignalInSilence() {
    let machine = Recorder()
    let ending = run([], on: machine) { _, _ throws(Fault) in
      throw Fault(.cancelled, "stopped by signal INT", signal: 2)
    }
    #expect(ending == .signal(2))
    #expect(machine.said.isEmpty)
  }

  @Test func successSaysNothing() {
    let machine = Recorder()
    #expect(run(["-q"], on: machine) == .status(.success))
    #expect(machine.said.isEmpty && machine.written.isEmpty)
  }

  @Test func aMessageIsOneLineAndOneWrite() {
    let machine = Recorder()
    let ending = run([], on: machine) { _, voice throws(Fault) in
      voice.warning("a\nb\u{1b}[31m", hint: "look")
      voice.note("only when verbose")
      return .success
    }
    #expect(ending == .status(.success))
    #expect(
      machine.said == ["vault-sample: warning: a b [31m\n", "vault-sample: hint: look\n"])
  }

  @Test func notesNeedVerbose() {
    let machine = Recorder()
    _ = run(["-v"], on: machine) { _, voice throws(Fault) in
      voice.note("part 3 sent")
      return .success
    }
    #expect(machine.said == ["vault-sample: note: part 3 sent\n"])
  }
}
