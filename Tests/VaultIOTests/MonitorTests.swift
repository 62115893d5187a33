import Foundation
import Testing
import VaultIO

@Suite struct MonitorTests {
  private func later(_ milliseconds: UInt64 = 60) -> UInt64 {
    Clock.deadline(inMilliseconds: milliseconds)
  }

  // Runs a body on so many threads at once, however many cores there are, and waits for all.
  private func together(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread.detachNewThread {
        body(number)
        group.leave()
      }
    }
    group.wait()
  }

  @Test func aQuestionThatHasItsAnswerDoesNotWait() {
    let monitor = Monitor(3)
    #expect(monitor.wait { $0 == 3 ? $0 : nil } == 3)
    #expect(monitor.wait(until: 0) { $0 == 3 ? $0 : nil } == 3)
  }

  @Test func aDeadlineEndsAWaitWithoutAnAnswer() {
    let monitor = Monitor(0)
    #expect(monitor.wait(until: later()) { $0 == 1 ? $0 : nil } == nil)
    // Whoever gave up is not asked any more.
    monitor.withLock { $0 = 1 }
    #expect(monitor.wait { $0 == 1 ? $0 : nil } == 1)
  }

  @Test func everyThingThatIsPutIsTakenOnce() {
    struct Shelf: Sendable {
      var things: [Int] = []
      var isFull = false
    }
    let (shelf, taken) = (Monitor(Shelf()), Monitor([Int]()))
    together(9) { number in
      guard number > 0 else {
        for thing in 0..<20_000 { shelf.withLock { $0.things.append(thing) } }
        return shelf.withLock { $0.isFull = true }
      }
      while true {
        let thing = shelf.wait { shelf -> Int?? in
          if let thing = shelf.things.popLast() { return .some(thing) }
          return shelf.isFull ? .some(nil) : nil
        }
        guard let thing, let thing else { return }
        taken.withLock { $0.append(thing) }
      }
    }
    #expect(taken.withLock { $0.sorted() } == Array(0..<20_000))
  }

  // The answer to one question changes the state: whoever waits for that is asked again.
  @Test func anAnswerMayBeWhatAnotherWaitsFor() {
    let monitor = Monitor(0)
    together(50) { number in
      if number == 49 { return monitor.withLock { $0 = 1 } }
      // 1 wakes the first, which makes it 2, …
      let mine = 49 - number
      let found = monitor.wait { state -> Int? in
        guard state == mine else { return nil }
        state += 1
        return mine
      }
      #expect(found == mine)
    }
    #expect(monitor.withLock { $0 } == 50)
  }

  @Test func deadlinesAndAnswersThatMeetLoseNothing() {
    let monitor = Monitor([Int]())
    let taken = Monitor([Int]())
    together(8) { number in
      for round in 0..<300 {
        if number < 4 {
          monitor.withLock { $0.append(number * 1000 + round) }
        } else if let got = monitor.wait(until: later(1), for: { $0.popLast() }) {
          taken.withLock { $0.append(got) }
        }
      }
    }
    let all = taken.withLock { $0 } + monitor.withLock { $0 }
    #expect(all.count == 1200)
    #expect(Set(all).count == 1200)
  }
}
