public import VaultFault
internal import VaultFrame
public import VaultIO

/// Reads the lines of a text, each with its line end, which the last one may lack; `first` was read
/// of it already and has a line end at its end or none.
///
/// After the lines of each read comes `pause`: more may be long in coming, so what waits is written.
/// Throws `too-large` for a line over `limit` bytes.
public func readLines(
  of input: borrowing Descriptor, after first: [UInt8] = [], limit: Int,
  _ use: ([UInt8]) throws(Fault) -> Void, pause: () throws(Fault) -> Void
) throws(Fault) {
  input.widenPipe()
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  var rest = first
  if first.last == 0x0A {
    try use(first)
    rest = []
  }
  while case let count = try input.read(into: &buffer), count > 0 {
    var from = 0
    while let end = buffer[from..<count].firstIndex(of: 0x0A) {
      try use(rest + buffer[from...end])
      rest = []
      from = end + 1
    }
    rest += buffer[from..<count]
    guard rest.count <= limit else {
      throw Fault(.tooLarge, "a line of \(input.name) has more than \(limit) bytes")
    }
    try pause()
  }
  if !rest.isEmpty { try use(rest) }
  try pause()
}
