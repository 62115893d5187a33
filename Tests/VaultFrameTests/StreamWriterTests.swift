import Testing
import VaultFault

@testable import VaultFrame

struct StreamWriterTests {
  private typealias Writer = StreamWriter<MemorySink>

  private func item(_ writer: inout Writer, data: Int) throws(Fault) {
    try writer.beginItem(.plain)
    try writer.frame(.label, Array(labelText.utf8).span)
    for size in 0..<data { try writer.frame(.data, [UInt8](repeating: 1, count: size + 1).span) }
    try writer.frame(.digest, Array(sha3Line.utf8).span)
  }

  @Test(arguments: [0, 1, 2, 5])
  func whatIsWrittenIsRead(items: Int) throws {
    var writer = Writer(to: MemorySink())
    try writer.beginBatch()
    for count in 0..<items {
      try item(&writer, data: count)
      if count == 1 { writer.abortItem(origin) } else { try writer.endItem() }
    }
    try writer.endBatch()
    #expect(read(writer.sink.bytes, accepting: [.plain]).result == "ok")
  }

  private func data(of pieces: [[UInt8]]) throws(Fault) -> [UInt8] {
    var writer = Writer(to: MemorySink())
    try writer.beginItem(.parts)
    for _ in 1...2 {
      let first = pieces[0]
      guard pieces.count > 1 else {
        try writer.frame(.data, first.span)
        continue
      }
      let rest = pieces[1]
      try writer.data(first.span, then: rest.span)
    }
    return writer.sink.bytes
  }

  @Test(arguments: [0, 1, 1_000, 1_999, 2_000])
  func dataInTwoPlacesIsOneFrame(cut: Int) throws {
    let bytes = (0..<2_000).map { UInt8(truncatingIfNeeded: $0) }
    let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
    #expect(try data(of: pieces) == data(of: [bytes]))
  }

  @Test func dataInTwoPlacesHasTheLimitOfOneFrame() {
    let half = [UInt8](repeating: 1, count: 1 << 19)
    for (first, isAllowed) in [(half, true), (half + [1], false)] {
      let found = fault { () throws(Fault) in _ = try data(of: [first, half]) }
      #expect(found == (isAllowed ? "ok" : "frame-too-long"))
    }
    #expect(fault { () throws(Fault) in _ = try data(of: [[], []]) } == "frame-length")
  }

  @Test func aLoneItemHasNoEndOfABatch() throws {
    var writer = Writer(to: MemorySink())
    try item(&writer, data: 3)
    try writer.endItem()
    try writer.endBatch()
    #expect(read(writer.sink.bytes).result == "ok")
  }

  @Test func anAbortEndsTheItemAndTheBatch() throws {
    var writer = Writer(to: MemorySink())
    try writer.beginBatch()
    try item(&writer, data: 1)
    writer.abort(origin)
    let events = read(writer.sink.bytes).events
    guard case .batchAborted = events.last, case .itemAborted = events.dropLast().last else {
      Issue.record("not both are aborted")
      return
    }
  }

  static let wrong: [(String, FrameType, [UInt8], String)] = [
    ("place", .manifest, [UInt8](repeating: 0, count: 72), "frame-order"),
    ("empty", .data, [], "frame-length"),
    ("too long", .data, [UInt8](repeating: 0, count: 1 << 20 + 1), "frame-too-long"),
  ]

  @Test(arguments: wrong)
  func theWriterRefusesWhatTheReaderWould(
    what: String, type: FrameType, payload: [UInt8], name: String
  ) throws {
    var writer = Writer(to: MemorySink())
    try writer.beginItem(.plain)
    try writer.frame(.label, Array(labelText.utf8).span)
    let before = writer.sink.bytes
    #expect(fault { () throws(Fault) in try writer.frame(type, payload.span) } == name)
    #expect(writer.sink.bytes == before)
  }

  @Test func framesOutsideAnItemAreAFaultOfOurs() {
    var writer = Writer(to: MemorySink())
    #expect(fault { () throws(Fault) in try writer.frame(.data, [1].span) } == "internal")
    #expect(fault { () throws(Fault) in try writer.endItem() } == "internal")
  }

  private var origin: AbortOrigin { AbortOrigin(stage: "vault-hash", exit: 65, name: "too-large") }
}
