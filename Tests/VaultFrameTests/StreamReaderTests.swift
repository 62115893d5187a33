import Testing
import VaultFault

@testable import VaultFrame

struct StreamReaderTests {
  @Test(arguments: ["p", "s", "c", "r"] as [Character])
  func goodItemsAreReadInEverySplit(kind: Character) {
    let bytes = stream(kind)
    let whole = read(bytes)
    #expect(whole.result == "ok")
    for piece in kind == "r" ? [7, 4096] : [1, 7, 64] {
      #expect(read(bytes, piece: piece) == whole)
    }
  }

  /// Payload of a frame, how much of it has come, and how much more the reader takes at once.
  @Test(arguments: [
    (1_048_576, 0, 1_052_672), (1_048_576, 5, 1_052_667), (1_048_576, 1_048_575, 4_097),
    (65_536, 9, 1_052_672),
  ])
  func littleIsReadBehindALongFrame(length: Int, come: Int, most: Int) throws {
    let bytes = prologue("p") + frame("L", labelText) + header("D", length)
    var reader = StreamReader(accepting: [.plain])
    for piece in [bytes, [UInt8](repeating: 1, count: come)] {
      #expect(reader.push(piece.span) == piece.count)
      while try reader.next() != nil {}
    }
    var asked = 0
    _ = try reader.fill { free in
      asked = free.count
      return 0
    }
    #expect(asked == most)
  }

  @Test(arguments: ["p", "s", "c", "r"] as [Character])
  func batchesOfEveryKindAreRead(kind: Character) {
    let item = Items.all[kind] ?? []
    for items in [[], [item], [item, item, item]] {
      #expect(read(batch(kind, items)).result == "ok")
    }
    #expect(read(batch("s", [Items.labelled, Items.sealed])).result == "ok")
  }

  @Test(arguments: ["p", "s", "c", "r"] as [Character])
  func noBeginningOfAStreamIsComplete(kind: Character) {
    for bytes in [
      stream(kind), batch(kind, [Items.all[kind] ?? [], frame("X", abortText)], aborted: 1),
    ] {
      var reader = StreamReader(accepting: [.plain, .sealed, .parts, .slice])
      for index in bytes.indices {
        #expect(throws: Never.self) {
          while try reader.next() != nil {}
        }
        guard index % 97 == 0 || bytes.count < 5_000 else {
          _ = reader.push(bytes.span.extracting(index..<index + 1))
          continue
        }
        #expect(fault { () throws(Fault) in try reader.finish() } == "incomplete")
        _ = reader.push(bytes.span.extracting(index..<index + 1))
      }
      #expect(fault { () throws(Fault) in while try reader.next() != nil {} } == "ok")
      #expect(fault { () throws(Fault) in try reader.finish() } == "ok")
    }
  }

  @Test(arguments: ["p", "s", "c", "r"] as [Character])
  func bytesAfterTheEndAreRefused(kind: Character) {
    for extra: [UInt8] in [[0], prologue(kind), [10]] {
      #expect(read(stream(kind) + extra).result == "trailing-bytes")
      #expect(read(batch(kind, []) + extra).result == "trailing-bytes")
    }
  }

  @Test func aPlainItemNeedsNoDigest() {
    let label = frame("L", labelText)
    let second = frame("L", labelText, index: 1)
    for data in [[], frame("D", [1, 2])] {
      let end = data.isEmpty ? end(0, 0, 0) : end(2, 1, 0)
      for rest in [[], second] {
        let item = label + data + rest + end
        #expect(read(prologue("p") + item).result == "ok")
        #expect(read(batch("p", [item, Items.plain])).result == "ok")
      }
    }
  }

  @Test(arguments: ["p", "s", "c", "r"] as [Character])
  func noFrameOfAnUnknownTypeIsPassedOverAnywhere(kind: Character) {
    for place in borders(of: kind) {
      for flags: UInt8 in [0, 1, 2, 3] {
        var bytes = stream(kind)
        bytes.insert(contentsOf: frame("Q", [1, 2, 3], flags: flags), at: place.offset)
        #expect(read(bytes).result == "unknown-frame", "\(kind) before \(place.before)")
      }
    }
  }

  @Test(arguments: ["p", "s", "c", "r"] as [Character])
  func anAbortMayStandAtEveryFrameBorder(kind: Character) {
    for place in borders(of: kind) {
      let bytes = stream(kind)[..<place.offset] + frame("X", abortText)
      let reading = read(Array(bytes))
      #expect(reading.result == "ok")
      guard case .itemAborted = reading.events.last else {
        Issue.record("no abort before \(place.before)")
        continue
      }
    }
  }

  @Test(arguments: ["p", "s", "c", "r"] as [Character])
  func framesThatAreDroppedRepeatedOrSwappedAreRefused(kind: Character) {
    let frames = split(kind)
    for index in frames.indices {
      var dropped = frames
      dropped.remove(at: index)
      // What may be absent: the labels of p and c, the digest of p, the chunks of a slice that a
      // range does not need.
      let isOptional = "LHC".contains(letter(frames[index])) && kind != "s"
      if !(isOptional && (kind != "p" || index > 0)) {
        #expect(read(prologue(kind) + dropped.flatMap { $0 }).result != "ok", "\(kind) \(index)")
      }
      var repeated = frames
      repeated.insert(frames[index], at: index)
      #expect(read(prologue(kind) + repeated.flatMap { $0 }).result != "ok", "\(kind) \(index)")
      for other in frames.indices where other > index {
        var swapped = frames
        swapped.swapAt(index, other)
        #expect(read(prologue(kind) + swapped.flatMap { $0 }).result != "ok")
      }
    }
  }
}

private func letter(_ frame: [UInt8]) -> Character { Character(Unicode.Scalar(frame[0])) }

private func split(_ kind: Character) -> [[UInt8]] {
  var rest = (Items.all[kind] ?? [])[...]
  var frames: [[UInt8]] = []
  while !rest.isEmpty {
    let bytes = Array(rest)
    let length = 16 + Int(bytes.span.bigEndian(at: 4, bytes: 4))
    frames.append(Array(rest.prefix(length)))
    rest = rest.dropFirst(length)
  }
  return frames
}

private struct Border {
  let offset: Int
  let before: Character
}

private func borders(of kind: Character) -> [Border] {
  var offset = 8
  return split(kind).map { frame in
    defer { offset += frame.count }
    return Border(offset: offset, before: letter(frame))
  }
}
