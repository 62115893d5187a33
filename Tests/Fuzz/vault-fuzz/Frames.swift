import VaultFault
import VaultFrame

// The reader of streams: what it says of a stream, written down, is the stream; and as far as it got
// in one that it refuses, its beginning.

func frames(_ bytes: [UInt8]) {
  var out: [UInt8] = []
  let isWhole = read(bytes, into: &out)
  require(bytes.starts(with: out), "a stream is written back as other bytes")
  require(!isWhole || out.count == bytes.count, "bytes of a stream are lost")
}

private func read(_ bytes: [UInt8], into out: inout [UInt8]) -> Bool {
  var reader = StreamReader(accepting: [.plain, .sealed, .parts, .slice])
  do throws(Fault) {
    var from = 0
    repeat {
      from += reader.push(bytes.span.extracting(from..<bytes.count))
      while let event = try reader.next() { write(event, reader.payload, to: &out) }
    } while from < bytes.count
    try reader.finish()
    return true
  } catch { return false }
}

private func write(_ event: StreamEvent, _ payload: Span<UInt8>, to out: inout [UInt8]) {
  switch event {
  case .batchBegan: out += Prologue.bytes(.begin)
  case .itemBegan(let kind): out += Prologue.bytes(kind)
  case .frame(let header), .itemEnded(let header), .itemAborted(let header):
    out += header.bytes + payload.copied()
  case .batchEnded:
    let end = FrameHeader(.end, payloadLength: payload.count, index: 0)
    out += Prologue.bytes(.end) + end.bytes + payload.copied()
  case .batchAborted(let header):
    out += Prologue.bytes(.end) + header.bytes + payload.copied()
  }
}
