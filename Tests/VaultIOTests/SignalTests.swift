import Foundation
import Testing

@Suite struct SignalTests {
  @Test func P17_interruptionsLoseNothing() throws {
    let running = try Running(["copy", "windows"])
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    Thread {
      for start in stride(from: 0, to: bytes.count, by: 1_000) {
        running.send(Array(bytes[start..<start + 1_000]))
        running.kill(SIGWINCH)
        usleep(500)
        if start % 20_000 == 0 { running.kill(SIGSTOP) }
        running.kill(SIGWINCH)
        running.kill(SIGCONT)
      }
      running.endInput()
    }.start()
    #expect(Running.all(running.output) == bytes)
    #expect(running.wait() == .exited(0))
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGALRM])
  func aReadIsInterruptedAndTheParentSeesTheSignal(_ number: Int32) throws {
    let running = try Running(["copy"])
    running.send([1])
    #expect(Running.all(running.output, upTo: 1) == [1])
    running.kill(number)
    #expect(running.wait() == .signalled(number))
  }

  @Test func aFullPipeAndAStoppedReaderDoNotKeepAToolAlive() throws {
    let running = try Running(["frames"])
    usleep(300_000)
    running.kill(SIGTERM)
    #expect(running.wait() == .signalled(SIGTERM))
    #expect(Running.text(running.error).hasPrefix("abort false\n"))
  }

  @Test func anAbortBeginsAtAFrameBorder() throws {
    let running = try Running(["frames"])
    _ = Running.all(running.output, upTo: 1_000_000)
    usleep(100_000)
    running.kill(SIGTERM)
    usleep(300_000)
    let rest = Running.all(running.output)
    let frame = 16 + (1 << 20)
    #expect(rest.last == 88)
    #expect((1_000_000 + rest.count - 1) % frame == 0)
    #expect(running.wait() == .signalled(SIGTERM))
    #expect(Running.text(running.error).hasPrefix("abort true\n"))
  }

  @Test func whoNeverAsksIsEndedAtTheLimit() throws {
    let running = try Running(["sleep", "300"])
    _ = Running.all(running.output, upTo: 6)
    running.kill(SIGINT)
    #expect(running.wait() == .signalled(SIGINT))
  }

  @Test func anIgnoredSignalStaysIgnored() throws {
    let running = try Running(
      ["-c", "trap '' HUP; exec \"$0\" copy", Running.probe], program: "/bin/sh")
    running.send([1])
    #expect(Running.all(running.output, upTo: 1) == [1])
    running.kill(SIGHUP)
    usleep(200_000)
    running.send([2])
    #expect(Running.all(running.output, upTo: 1) == [2])
    running.kill(SIGTERM)
    #expect(running.wait() == .signalled(SIGTERM))
  }
}
