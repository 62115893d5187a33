internal import CLinux
internal import Glibc
public import VaultFault

/// An output that is a sequence of whole lines, whatever lies in it already.
///
/// Where it is a regular file, a line that an earlier writer left without its end is ended first: a
/// full disk or a power cut leaves such a line, and what is written behind it would be part of it.
public struct LineOutput: ~Copyable, Sendable {
  /// Where the lines go; heeds no signals.
  public let file: Descriptor
  // The same file, to look at its last byte; nil where it may not be read.
  private let reader: Descriptor?
  // Where our last line ended, if it ended well.
  private var end: UInt64?
  /// Takes over a descriptor. One that cannot be read (`>>` opens for writing only) is opened once
  /// more through /proc, so it must be made before the file sandbox.
  public init(_ file: consuming sending Descriptor) {
    var file = file
    file.heedsSignals = false
    reader = file.kind == .regular ? LineOutput.reader(of: file) : nil
    self.file = file
  }

  private static func reader(of file: borrowing Descriptor) -> Descriptor? {
    let number = file.number
    if linux_is_readable(number) != 0 { return Descriptor(borrowing: number, name: file.name) }
    let path = Path("/proc/self/fd/\(number)")
    guard let again = try? File.open(path), again.identity == file.identity else { return nil }
    return again
  }

  /// Writes one line and its end, in one call.
  ///
  /// Where the last byte of a file cannot be seen, the line begins with a line end: an empty line says
  /// nothing, and a line that swallows another loses both.
  /// - Throws: ``VaultFault/FaultKind/writeFailed``; a part of the line may be there then.
  public mutating func write(_ line: [UInt8]) throws(Fault) {
    let place = file.nextPlace
    let isInside = place.map { isInsideALine($0) } ?? false
    let whole = (isInside ? [0x0A] : []) + line + [0x0A]
    end = nil
    try file.writeAll(whole.span)
    end = place.map { $0 + UInt64(whole.count) }
  }

  private func isInsideALine(_ place: UInt64) -> Bool {
    guard place > 0, place != end else { return false }
    var last: [UInt8] = [0]
    guard let count = try? reader?.pread(into: &last, from: 0, at: place - 1), count == 1 else {
      return true
    }
    return last != [0x0A]
  }
}

extension Descriptor {
  // Where the next byte goes, in a regular file.
  var nextPlace: UInt64? {
    guard let size else { return nil }
    return linux_is_appending(number) != 0 ? size : UInt64(exactly: linux_offset(number))
  }
}

extension File {
  /// Opens a file that is there, for reading and for adding at the end; else as
  /// ``openForAppending(_:permissions:)``.
  ///
  /// - Throws: ``VaultFault/FaultKind/readFailed``; nothing is made.
  public static func openExistingForAppending(_ path: Path) throws(Fault) -> Descriptor {
    let number = try require(.readFailed, "cannot open \(path.quoted)") {
      unsafe Int(path.withPointer { unsafe linux_open_append_old(linux_at_cwd, $0) })
    }
    var file = Descriptor(owning: Int32(number), name: path.quoted)
    file.heedsSignals = false
    return file
  }
}
