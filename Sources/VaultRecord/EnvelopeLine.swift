public import VaultFault

/// A receipt or a row, of which only the envelope is looked at and can be replaced: every other byte
/// stays as it was.
public struct EnvelopeLine: Sendable {
  /// The envelope with slots; nil when the line has none.
  public let envelope: String?
  /// The item that the line names.
  public let item: String?
  /// Salt and commitment of the body that the line names.
  public let body: String?
  private let line: [UInt8]
  private let span: Range<Int>

  /// Reads a line, with or without its line end; throws `bad-receipt` when it is no JSON object, or
  /// one of the three members is of another type.
  public init(_ line: [UInt8]) throws(Fault) {
    var fields = try Fields(line, .badReceipt)
    span = fields.others.first { $0.name == "envelope" }?.value.span ?? 0..<0
    envelope = try fields.string("envelope")
    item = try fields.string("item")
    body = try fields.string("body")
    self.line = line
  }

  /// The line with another envelope.
  public func replacing(envelope: String) -> [UInt8] {
    line[..<span.lowerBound] + JSONWriter.quoted(envelope) + line[span.upperBound...]
  }
}
