import VaultDigest
import VaultFault
import VaultFrame
import VaultText

/// An object taken apart into what an adversary who can write objects can exchange.
struct SwapPieces: Equatable {
  var version: String
  var item: String
  var body: String
  var slots: [String]
  var mac: String
  var chunks: [UInt8]
  var manifest: [UInt8]

  /// Takes apart an object of one frame of chunks.
  init(_ object: [UInt8]) {
    var frames: [[UInt8]] = []
    var from = 8
    while from < object.count {
      let count = object[from + 4..<from + 8].reduce(0) { $0 << 8 | Int($1) }
      frames.append(Array(object[from + 16..<from + 16 + count]))
      from += 16 + count
    }
    let lines = String(decoding: frames[0], as: UTF8.self).split(separator: "\n").map(String.init)
    (version, item, body) = (lines[0], lines[1], lines[2])
    slots = lines.filter { $0.hasPrefix("slot ") }
    mac = lines[lines.count - 1]
    (chunks, manifest) = (frames[1], frames[2])
  }

  /// Puts them together again, with a check that fits: everyone can make one. The head of the first
  /// frame of chunks is put into the line `body`, unless the line was exchanged alone.
  func object() throws -> [UInt8] {
    let start = [version, item, body] + slots
    let text = Array(start.map { $0 + "\n" }.joined().utf8)
    let check = Base64.encode(Array(try Digest.of(text.span, .sha256).prefix(16)))
    let envelope = text + Array("check \(check)\n\(mac)\n".utf8)
    let data = UInt64(chunks.count - 56 - 16)
    var out = Prologue.bytes(.sealed)
    let frames: [(FrameType, [UInt8])] = [
      (.envelope, envelope), (.chunks, chunks), (.manifest, manifest),
    ]
    for (type, payload) in frames {
      let header = FrameHeader(type, payloadLength: payload.count, index: 0)
      out += header.bytes + payload
    }
    let offset = UInt64(8 + 16 + envelope.count + 16 + chunks.count)
    let end = EndCounts(data, 1, offset).bytes
    return out + FrameHeader(.end, payloadLength: end.count, index: 0).bytes + end
  }

  /// The line that names the head of these chunks.
  static func bodyLine(_ chunks: [UInt8]) -> String {
    "body \(Base64.encode(Array(chunks[..<24]))) \(Base64.encode(Array(chunks[24..<56])))"
  }
}
