import CProbe
import Foundation
import Testing
import VaultFault
import VaultIO

@Suite struct MachineTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
      (951_782_400, "2000-02-29T00:00:00Z"),
      (1_709_251_199, "2024-02-29T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
    ] as [(Int64, String)])
  func timesAreWrittenAsTheStandardSays(_ seconds: Int64, _ text: String) {
    #expect(Clock.iso8601(seconds) == text)
    #expect(CivilTime(seconds).seconds == seconds)
  }

  @Test func aDayThatIsNotIsRefused() {
    #expect(CivilTime(year: 2023, month: 2, day: 29, hour: 0, minute: 0, second: 0) == nil)
    #expect(CivilTime(year: 2024, month: 2, day: 29, hour: 0, minute: 0, second: 0) != nil)
    #expect(CivilTime(year: 2024, month: 1, day: 1, hour: 24, minute: 0, second: 0) == nil)
    #expect(CivilTime(1_600_000_000).iso8601Basic == "20200913T122640Z")
  }

  @Test func everyDayOfFourCenturiesHasOneDate() {
    for day in stride(from: Int64(-200_000), through: 200_000, by: 1) {
      let time = CivilTime(day * 86_400)
      let again = CivilTime(
        year: time.year, month: time.month, day: time.day, hour: 0, minute: 0, second: 0)
      if again != time { Issue.record("day \(day)") }
    }
  }

  @Test func anUnsetVariableIsNotAnEmptyOne() {
    setenv("VAULT_IO_TEST", "", 1)
    #expect(Environment.value("VAULT_IO_TEST") == "")
    #expect(Environment.value("VAULT_IO_TEST_NOT_SET") == nil)
  }

  @Test func randomBytesDiffer() throws {
    #expect(try Entropy.bytes(32) != Entropy.bytes(32))
    #expect(try Entropy.bytes(0) == [])
  }

  @Test func pathsAreTakenApartAtTheLastSlash() {
    #expect(Path("a/b").name == Array("b".utf8))
    #expect(Path("a/b").parent == "a")
    #expect(Path("b").parent == ".")
    #expect(Path("/b").parent == "/")
    #expect(Path("a//b").parent == "a")
    #expect(Path("/").parent == "/")
  }

  @Test func threadsShareAMonitor() throws {
    let monitor = Monitor(0)
    var threads: [Monitor<Int>] = []
    for _ in 0..<4 {
      threads.append(monitor)
      _ = try WorkerThread { for _ in 0..<1_000 { monitor.withLock { $0 += 1 } } }
    }
    #expect(monitor.wait(for: { $0 == 4_000 ? true : nil }) == true)
    #expect(
      monitor.wait(until: Clock.deadline(inMilliseconds: 10), for: { $0 < 0 ? 1 : nil }) == nil)
    try WorkerThread { monitor.withLock { $0 = -1 } }.join()
    #expect(monitor.withLock { $0 } == -1)
  }

  @Test func workersTakeNoSignals() throws {
    let monitor = Monitor<Bool?>(nil)
    try WorkerThread {
      var mask = sigset_t()
      pthread_sigmask(SIG_SETMASK, nil, &mask)
      let blocked = [SIGTERM, SIGINT, SIGHUP, SIGALRM].allSatisfy { sigismember(&mask, $0) == 1 }
      monitor.withLock { $0 = blocked && sigismember(&mask, SIGSEGV) == 0 }
    }.join()
    #expect(monitor.withLock { $0 } == true)
  }

  @Test func aBellInterruptsTheWaitForInput() throws {
    var ends: [Int32] = [0, 0]
    _ = probe_pipe(&ends)
    let input = Descriptor(owning: ends[0], name: "input")
    let bell = try Bell()
    #expect(try !input.waitForInput(or: bell, until: Clock.deadline(inMilliseconds: 5)))
    try WorkerThread { bell.ring() }.join()
    #expect(try !input.waitForInput(or: bell))
    bell.silence()
    close(ends[1])
    #expect(try input.waitForInput(or: bell))
  }

  @Test func aTemporaryFileHasNoName() throws {
    let scratch = Scratch()
    let file = try File.openUnnamed(in: Path(scratch.path))
    try file.pwriteAll([1, 2, 3].span, at: 5)
    #expect(file.size == 8)
    #expect(scratch.names == [])
  }
}
