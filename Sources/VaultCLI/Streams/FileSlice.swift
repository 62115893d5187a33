public import VaultFault
public import VaultFrame
public import VaultIO

/// A sealed object in a regular file, of which only the bytes that a range needs are read.
public struct FileObject {
  private let start: UInt64
  private let total: UInt64
  private static let readBytes = 64 << 10

  /// Takes the object that lies in `file` from its present position to its end; nil when the file
  /// is not a regular one or no sealed item begins there.
  public init?(in file: borrowing Descriptor) throws(Fault) {
    guard let size = file.size, let remaining = file.remaining, remaining > 0 else { return nil }
    start = size - remaining
    total = remaining
    var prologue = [UInt8](repeating: 0, count: Prologue.length)
    let count = try file.pread(into: &prologue, at: start)
    guard count == prologue.count, prologue == Prologue.bytes(.sealed) else { return nil }
  }

  /// Writes the slice of `range`; `file` is the same one.
  public func write<Sink: FrameSink & ~Copyable>(
    _ range: ByteRange, of file: borrowing Descriptor, to writer: inout StreamWriter<Sink>
  ) throws(Fault) {
    var slice = SliceMaker(range)
    try slice.objectHas(total)
    try writer.beginItem(.slice)
    var buffer = [UInt8](uninitializedCount: FileObject.readBytes)
    while let wanted = slice.wanted {
      let from = buffer.count - min(wanted.count, buffer.count)
      let count = try file.pread(into: &buffer, from: from, at: start + wanted.lowerBound)
      guard count > 0 else { throw Fault(.incomplete, "the file became shorter while it was read") }
      try slice.push(buffer.span.extracting(from..<from + count), to: &writer)
    }
    try writer.endItem()
  }
}
