public import VaultFault
internal import VaultFrame
public import VaultIO

/// Reads a descriptor to its end, 1 MiB at a time, and hands on each piece as it comes.
public func readToEnd(
  of input: borrowing Descriptor, _ use: (Span<UInt8>) throws(Fault) -> Void
) throws(Fault) {
  input.widenPipe()
  var buffer = [UInt8](uninitializedCount: 1 << 20)
  while case let count = try input.read(into: &buffer), count > 0 {
    try use(buffer.span.extracting(0..<count))
  }
}
