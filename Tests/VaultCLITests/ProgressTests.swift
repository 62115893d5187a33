import Synchronization
import Testing

@testable import VaultCLI

private let second: UInt64 = 1_000_000_000
private let mebibyte: UInt64 = 1 << 20

private func part(_ number: Int, of item: Int = 0) -> ProgressMeter.Part {
  ProgressMeter.Part(item: item, number: number)
}

@Suite struct ProgressMeterTests {
  @Test func aRetriedPartCountsOnce() {
    var meter = ProgressMeter(total: 100, now: 0)
    meter.moved(40, of: part(1))
    #expect(meter.done == 40)
    meter.moved(0, of: part(1))
    meter.moved(10, of: part(1))
    #expect(meter.done == 10)
    meter.settle(part(1), bytes: 50)
    meter.settle(part(1), bytes: 50)
    meter.moved(50, of: part(1))
    #expect(meter.done == 50)
  }

  @Test func aResumedPartIsDoneButNoSpeed() {
    var meter = ProgressMeter(total: 100 * mebibyte, now: 0)
    meter.resume(part(1), bytes: 50 * mebibyte)
    meter.resume(part(1), bytes: 50 * mebibyte)
    meter.settle(part(1), bytes: 50 * mebibyte)
    meter.settle(part(2), bytes: 2 * mebibyte)
    let reading = meter.reading(at: 2 * second)
    #expect(reading.done == 52 * mebibyte)
    #expect(reading.percent == 52)
    #expect(reading.bytesPerSecond == mebibyte)
    #expect(reading.secondsLeft == 48)
  }

  @Test func whatNeverArrivedIsTakenBackWithItsItem() {
    var meter = ProgressMeter(now: 0)
    meter.settle(part(1), bytes: 10)
    meter.moved(7, of: part(2))
    meter.moved(5, of: part(1, of: 1))
    meter.end(item: 0)
    #expect(meter.done == 15)
    #expect(meter.items == 1)
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
    meter.settle(part(1), bytes: 100 * mebibyte)
    #expect(meter.reading(at: second).bytesPerSecond == 100 * mebibyte)
    for tick in 2...30 { _ = meter.reading(at: UInt64(tick) * second) }
    #expect(meter.reading(at: 31 * second).bytesPerSecond == 0)
    #expect(meter.reading(at: 31 * second).secondsLeft == nil)
  }

  @Test func hugeNumbersDoNotTrap() {
    var meter = ProgressMeter(total: UInt64.max, now: UInt64.max - 3 * second)
    meter.settle(part(1), bytes: UInt64.max)
    meter.settle(part(2), bytes: UInt64.max)
    meter.resume(part(3), bytes: UInt64.max)
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

  @Test func autoIsSilentWithoutATerminal() {
    let machine = Recorder()
    let progress = progress(.auto, on: machine)
    machine.pass(milliseconds: 60_000)
    progress.report { $0.settle(part(1), bytes: 50) }
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
      progress.report { $0.moved($0.done + 1, of: part(1)) }
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

  @Test func alwaysGivesALineEveryTenSeconds() {
    let machine = Recorder()
    let progress = progress(.always, on: machine)
    for _ in 0..<60 {
      machine.pass(milliseconds: 1000)
      progress.report { $0.moved($0.done + 1, of: part(1)) }
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
      progress.report { $0.moved($0.done + 10, of: part(1)) }
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
