import CProbe
import Foundation
import Testing

/// The probe at a terminal of its own.
private final class Typist {
  let master: Int32
  let running: Running

  init(_ words: [String] = ["ask"], program: String? = nil) throws {
    var name = [CChar](repeating: 0, count: 100)
    master = probe_open_terminal(&name, 100)
    let path = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    running = try Running(
      words, input: .file(path), output: .file(path), error: .file(path), session: true,
      program: program)
  }

  deinit { close(master) }

  func await(_ text: String) -> String {
    var seen = ""
    while !seen.contains(text) {
      let bytes = Running.all(master, upTo: 1)
      if bytes.isEmpty { return seen }
      seen += String(decoding: bytes, as: UTF8.self)
    }
    return seen
  }

  func type(_ text: String) { write(master, text, text.utf8.count) }
  var echoes: Bool { probe_echoes(master) == 1 }
}

@Suite struct TerminalTests {
  @Test func whatIsTypedIsNotShown() throws {
    let typist = try Typist()
    _ = typist.await("password: ")
    #expect(!typist.echoes)
    typist.type("secret\n")
    #expect(!typist.await("got 6").contains("secret"))
    #expect(typist.echoes)
    #expect(typist.running.wait() == .exited(0))
  }

  @Test(arguments: [("\u{3}", SIGINT), ("\u{1c}", SIGQUIT)])
  func K09_keysThatEndUsBringTheEchoBack(_ key: String, _ number: Int32) throws {
    let typist = try Typist()
    _ = typist.await("password: ")
    typist.type(key)
    #expect(typist.running.wait() == .signalled(number))
    #expect(typist.echoes)
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func K09_signalsThatEndUsBringTheEchoBack(_ number: Int32) throws {
    let typist = try Typist()
    _ = typist.await("password: ")
    typist.running.kill(number)
    #expect(typist.running.wait() == .signalled(number))
    #expect(typist.echoes)
  }

  @Test func K09_theEchoIsOnWhileWeAreStopped() throws {
    let script = "set -m; \"$0\" ask; stty -a | grep -o ' echo '; echo stopped; fg >/dev/null"
    let typist = try Typist(["-c", script, Running.probe], program: "/bin/bash")
    _ = typist.await("password: ")
    typist.type("\u{1a}")
    #expect(typist.await("stopped\r\n").contains(" echo "))
    _ = typist.await("password: ")
    #expect(!typist.echoes)
    typist.type("secret\n")
    #expect(typist.await("got 6").contains("got 6"))
    #expect(typist.running.wait() == .exited(0))
    #expect(typist.echoes)
  }

  @Test func anEmptyPasswordIsRefused() throws {
    let typist = try Typist()
    _ = typist.await("password: ")
    typist.type("\n")
    #expect(typist.await("is empty").contains("the password is empty"))
    #expect(typist.running.wait() == .exited(78))
  }

  @Test func noTerminalIsSaidAtOnce() throws {
    let running = try Running(["ask"], session: true)
    #expect(Running.text(running.error).contains("no terminal to ask for the password"))
    #expect(running.wait() == .exited(78))
  }
}
