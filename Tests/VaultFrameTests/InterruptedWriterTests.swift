import Testing
import VaultFault

@testable import VaultFrame

/// A sink that a signal interrupts in one of its writes, after so many bytes of it.
private struct InterruptedSink: FrameSink {
  var bytes: [UInt8] = []
  var writesLeft: Int
  let sent: Int
  var rest: [UInt8] = []
  var isInFrame: Bool { !rest.isEmpty }

  mutating func write(_ head: Span<UInt8>, _ payload: Span<UInt8>) throws(Fault) {
    let frame = head.copied() + payload.copied()
    if writesLeft == 0 {
      bytes += frame.prefix(sent)
      rest = sent == 0 ? [] : Array(frame.dropFirst(sent))
    }
    writesLeft -= 1
    if writesLeft < 0 { throw Fault(.cancelled, "stopped", signal: 15) }
    bytes += frame
  }

  mutating func writeAbort(_ frame: Span<UInt8>) {
    bytes += rest + frame.copied()
    rest = []
  }
}

struct InterruptedWriterTests {
  private func write(
    _ writer: inout StreamWriter<InterruptedSink>, batch: Bool
  ) throws(Fault) {
    if batch { try writer.beginBatch() }
    for _ in 0..<(batch ? 2 : 1) {
      try writer.beginItem(.plain)
      try writer.frame(.label, Array(labelText.utf8).span)
      try writer.frame(.data, [1, 2, 3].span)
      try writer.frame(.digest, Array(sha3Line.utf8).span)
      try writer.endItem()
    }
    try writer.endBatch()
  }

  // Interrupted where it may be, a stream that is aborted is read as aborted, or as whole when only
  // the rest of its end was missing; nothing at all when nothing had left.
  @Test(arguments: [false, true], [0, 5])
  func anAbortBeginsAtABorderWhereverTheWriterWasInterrupted(batch: Bool, sent: Int) throws {
    let count = batch ? 12 : 5
    for stopped in 0...count {
      var writer = StreamWriter(to: InterruptedSink(writesLeft: stopped, sent: sent))
      let result = fault { () throws(Fault) in try write(&writer, batch: batch) }
      #expect(result == (stopped == count ? "ok" : "cancelled"))
      writer.abort(AbortOrigin(stage: "vault-hash", exit: 143, name: "cancelled"))
      let reading = read(writer.sink.bytes)
      let isEnd = stopped == count || (stopped == count - 1 && sent > 0)
      let isNothing = stopped == 0 && sent == 0
      #expect(reading.result == (isNothing ? "incomplete" : "ok"))
      #expect(isEnd || isNothing || isAborted(reading.events.last))
    }
  }

  @Test func anAbortIsWrittenOnce() throws {
    var writer = StreamWriter(to: MemorySink())
    try writer.beginBatch()
    let origin = AbortOrigin(stage: "vault-hash", exit: 143, name: "cancelled")
    writer.abort(origin)
    let once = writer.sink.bytes
    writer.abort(origin)
    #expect(writer.sink.bytes == once)
  }

  private func isAborted(_ event: StreamEvent?) -> Bool {
    switch event {
    case .itemAborted, .batchAborted: true
    default: false
    }
  }
}
