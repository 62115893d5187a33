import Synchronization
import Testing

@testable import VaultCLI

private let second: UInt64 = 1_000_000_000
private let mebibyte: UInt64 = 1 << 20

extension ProgressMeter {
  fileprivate mutating func set(_ done: UInt64) { set(done: done, total: total, items: 0) }
}

@Suite struct ProgressMeterTests {
  @Test func theSpeedIsThatOfTheLastSecondsAndTellsWhatIsLeft() {
    var meter = ProgressMeter(total: 100 * mebibyte, now: 0)
    meter.set(52 * mebibyte)
    let reading = meter.reading(at: 26 * second)
    #expect(reading.done == 52 * mebibyte)
    #expect(reading.percent == 52)
    #expect(reading.bytesPerSecond == 2 * mebibyte)
    #expect(reading.secondsLeft == 24)
  }

  @Test func whatIsTakenBackIsNoSpeed() {
    var meter = ProgressMeter(now: 0)
    meter.set(10 * mebibyte)
    _ = meter.reading(at: second)
    for tick in 2...30 { _ = meter.reading(at: UInt64(tick) * second) }
    meter.set(3 * mebibyte)
    #expect(meter.reading(at: 31 * second).bytesPerSecond == 0)
    #expect(meter.reading(at: 31 * second).done == 3 * mebibyte)
  }

  @Test func percentIsHundredOnlyWhenAllIsDone() {
    func percent(_ done: UInt64, _ total: UInt64?) -> Int? {
      ProgressReading(done: done, total: total, items: 0, bytesPerSecond: nil).percent
    }
    #expect(percent(999_999, 1_000_000) == 99)
    #expect(percent(1_000_000, 1_000_000) == 100)
    #expect(percent(UInt64.max - 1, UInt64.max) == 99)
    #expect(percent(2, 1) == nil)
    #expect(percent(1, nil) == nil)
    #expect(percent(0, 0) == nil)
  }

  @Test func aStallShowsInTheSpeed() {
    var meter = ProgressMeter(now: 0)
    meter.set(100 * mebibyte)
    #expect(meter.reading(at: second).bytesPerSecond == 100 * mebibyte)
    for tick in 2...30 { _ = meter.reading(at: UInt64(tick) * second) }
    #expect(meter.reading(at: 31 * second).bytesPerSecond == 0)
    #expect(meter.reading(at: 31 * second).secondsLeft == nil)
  }

  @Test func hugeNumbersDoNotTrap() {
    var meter = ProgressMeter(total: UInt64.max, now: UInt64.max - 3 * second)
    meter.set(done: UInt64.max, total: UInt64.max, items: UInt64.max)
    _ = meter.reading(at: UInt64.max - second).line
    _ = meter.reading(at: 0).line
  }

  @Test func aLineIsForPeople() {
    let reading = ProgressReading(
      done: 460 * mebibyte, total: 1 << 30, items: 0, bytesPerSecond: 12_897_485)
    #expect(reading.line == "44% 460 MiB of 1.0 GiB, 12.3 MiB/s, 0:45 left")
    let unknown = ProgressReading(done: 5, total: nil, items: 3, bytesPerSecond: nil)
    #expect(unknown.line == "5 B, 3 items")
    let longest = ProgressReading(
      done: (1 << 60) - 1, total: 1 << 60, items: 1_000_000_000, bytesPerSecond: 1023 << 50)
    #expect("vault-put: \(longest.line)".count < 80)
  }
}

@Suite struct ProgressTests {
  private func progress(_ mode: ProgressMode, on machine: Recorder, total: UInt64? = 100)
    -> Progress
  {
    Progress(
      mode, total: total, Diagnostics(tool: "vault-put", console: Console(machine.system)))
  }

  @Test func T02_autoIsSilentWithoutATerminal() {
    let machine = Recorder()
    let progress = progress(.auto, on: machine)
    machine.pass(milliseconds: 60_000)
    progress.report { $0.set(50) }
    progress.end()
    #expect(machine.said.isEmpty)
    #expect(!progress.isShown)
  }

  @Test func neverIsSilentOnATerminal() {
    let machine = Recorder(terminal: true)
    let progress = progress(.never, on: machine)
    machine.pass(milliseconds: 60_000)
    progress.tick()
    progress.end()
    #expect(machine.said.isEmpty)
  }

  @Test func aTerminalIsUpdatedFiveTimesASecondAndLeftClean() {
    let machine = Recorder(terminal: true)
    let progress = progress(.auto, on: machine)
    for _ in 0..<100 {
      machine.pass(milliseconds: 10)
      progress.report { $0.set($0.done + 1) }
    }
    #expect(machine.said.count == 5)
    #expect(machine.said[0] == "\r\u{1b}[Kvault-put: 20% 20 B of 100 B")
    progress.end()
    progress.end()
    #expect(machine.said.count == 6)
    #expect(machine.said.last == "\r\u{1b}[K")
  }

  @Test func aJobInTheBackgroundIsSilent() {
    let machine = Recorder(terminal: true)
    machine.foreground.withLock { $0 = false }
    let progress = progress(.auto, on: machine)
    machine.pass(milliseconds: 1000)
    progress.tick()
    progress.end()
    #expect(machine.said.isEmpty)
  }

  @Test func aMessageErasesTheLineOfProgress() {
    let machine = Recorder(terminal: true)
    let voice = Diagnostics(tool: "vault-put", console: Console(machine.system))
    let progress = Progress(.auto, total: nil, voice)
    machine.pass(milliseconds: 200)
    progress.tick()
    voice.warning("x")
    voice.warning("y")
    #expect(
      machine.said.dropFirst() == ["\r\u{1b}[Kvault-put: warning: x\n", "vault-put: warning: y\n"])
  }

  @Test func T02_alwaysGivesALineEveryTenSeconds() {
    let machine = Recorder()
    let progress = progress(.always, on: machine)
    for _ in 0..<60 {
      machine.pass(milliseconds: 1000)
      progress.report { $0.set($0.done + 1) }
    }
    progress.end()
    #expect(machine.said.count == 7)
    #expect(machine.said[0] == "vault-put: 10% 10 B of 100 B, 1 B/s, 1:30 left\n")
    #expect(!machine.said.joined().contains("\r"))
  }

  @Test func jsonGivesAnObjectASecond() {
    let machine = Recorder()
    let progress = progress(.json, on: machine)
    for _ in 0..<4 {
      machine.pass(milliseconds: 500)
      progress.report { $0.set($0.done + 10) }
    }
    progress.end()
    #expect(
      machine.said == [
        #"{"progress":"vault/1","bytes":20,"total":100,"percent":20,"bytes_per_second":20,"#
          + #""seconds_left":4,"items":0,"ended":false}"# + "\n",
        #"{"progress":"vault/1","bytes":40,"total":100,"percent":40,"bytes_per_second":20,"#
          + #""seconds_left":3,"items":0,"ended":false}"# + "\n",
        #"{"progress":"vault/1","bytes":40,"total":100,"percent":40,"bytes_per_second":20,"#
          + #""seconds_left":3,"items":0,"ended":true}"# + "\n",
      ])
  }
}
