/// A line of a text of records.
public struct NumberedLine: Equatable, Sendable {
  /// Counted from 1.
  public let number: UInt64
  /// The bytes without the line end; nil when there are more than the limit.
  public let bytes: [UInt8]?
  /// False for a last line without a line end.
  public let isEnded: Bool
  /// True for a line of no bytes. A writer that cannot see the end of a file begins its line with a line
  /// end, so among records an empty line says nothing.
  public var isEmpty: Bool { bytes?.isEmpty ?? false }
}

/// Cuts bytes that come in pieces into lines, and holds one line at most.
///
/// An empty line is a line. After the last line end there is none.
public struct LineCutter: Sendable {
  private let limit: Int
  private var line: [UInt8] = []
  private var isTooLong = false
  private var number: UInt64 = 0

  /// A cutter of lines of at most `limit` bytes.
  public init(limit: Int) { self.limit = limit }

  /// Takes the next bytes, and hands each line that they complete to `take`.
  public mutating func push<Problem: Error>(
    _ bytes: Span<UInt8>, _ take: (NumberedLine) throws(Problem) -> Void
  ) throws(Problem) {
    for index in 0..<bytes.count {
      if bytes[index] == 0x0A {
        try take(next(isEnded: true))
      } else if line.count < limit {
        line.append(bytes[index])
      } else {
        isTooLong = true
      }
    }
  }

  /// Says that no more bytes come: returns the last line, if it had no line end.
  public mutating func finish() -> NumberedLine? {
    line.isEmpty && !isTooLong ? nil : next(isEnded: false)
  }

  private mutating func next(isEnded: Bool) -> NumberedLine {
    number += 1
    defer {
      line = []
      isTooLong = false
    }
    return NumberedLine(number: number, bytes: isTooLong ? nil : line, isEnded: isEnded)
  }
}
