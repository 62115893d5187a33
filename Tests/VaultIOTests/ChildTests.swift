import Foundation
import Testing

@Suite struct ChildTests {
  @Test func outputAndStatusAreTheCommands() throws {
    let good = try probe(["child", "sh", "-c", "cat; exit 3"], input: Array("hi".utf8))
    #expect(good.output == "hi")
    #expect(good.error == "exited(3)\n")
    #expect(try probe(["child", "sh", "-c", "kill -9 $$"]).error == "signalled(9)\n")
  }

  @Test func aMissingCommandIsSaidAtOnce() throws {
    let result = try probe(["child", "/no/such"])
    #expect(result.error.hasSuffix("cannot run \"/no/such\": no such file or directory\n"))
    #expect(result.ending == .exited(66))
  }

  @Test func aSignalIsPassedOn() throws {
    let running = try Running([
      "child", "sh", "-c",
      "trap 'echo heard >&2; exit' TERM; echo; exec >&-; while :; do sleep 0.1; done",
    ])
    usleep(300_000)
    running.kill(SIGTERM)
    #expect(running.wait() == .signalled(SIGTERM))
    #expect(Running.text(running.error).contains("heard"))
  }

  @Test func theCommandDiesWithUs() throws {
    let running = try Running(["child", "sh", "-c", "echo $$ >&2; exec sleep 60"])
    var line = Running.all(running.error, upTo: 1)
    while line.last != 10 { line += Running.all(running.error, upTo: 1) }
    let command = try #require(pid_t(String(decoding: line.dropLast(), as: UTF8.self)))
    running.kill(SIGKILL)
    #expect(running.wait() == .signalled(SIGKILL))
    // Its end of our pipe closes when it is gone.
    #expect(Running.all(running.error) == [])
    #expect(command > 1)
  }
}
