import VaultFault
import VaultIO

/// Opened data on its way out. A terminal gets text only: anything else could drive it.
struct DataOutput: ~Copyable {
  private let output: Descriptor
  private let isTerminal: Bool
  private var last: UInt8 = 0

  init(_ output: consuming Descriptor) {
    isTerminal = output.isTerminal
    output.widenPipe()
    self.output = output
  }

  mutating func write(_ data: Span<UInt8>) throws(Fault) {
    if isTerminal { try refuseBinary(data) }
    try output.writeAll(data)
  }

  // U+0080 to U+009F, C2 80 to C2 9F in UTF-8, drive a terminal as ESC and a letter do.
  private mutating func refuseBinary(_ data: Span<UInt8>) throws(Fault) {
    for index in data.indices {
      let byte = data[index]
      let isControl = byte < 0x20 || byte == 0x7F || last == 0xC2 && (0x80...0x9F).contains(byte)
      last = byte
      guard isControl, ![0x09, 0x0A, 0x0D].contains(byte) else { continue }
      throw Fault(
        .usage, "the data is binary and the output is a terminal",
        hint: "name a file with -o, or redirect standard output")
    }
  }
}
