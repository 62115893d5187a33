public import VaultFault
internal import VaultFrame
internal import VaultRecord

/// Rewrites the envelopes of receipts and rows, a line at a time; no object is touched, and no other
/// byte of a line.
public struct ReceiptRewriter {
  private let rewriter: EnvelopeRewriter
  private let expected: Expectations

  /// Takes what becomes of each envelope, and which items must come.
  public init(_ rewriter: EnvelopeRewriter, expecting expected: Expectations) {
    self.rewriter = rewriter
    self.expected = expected
  }

  /// The line with its new envelope; nil when it has none.
  ///
  /// Throws `bad-receipt`, `other-object` when the line names another item or body than its envelope,
  /// and what opening throws.
  public func rewritten(_ text: [UInt8]) throws(Fault) -> [UInt8]? {
    let line = try EnvelopeLine(text)
    guard let envelope = line.envelope else { return nil }
    let bytes = Array(envelope.utf8)
    let old = try Envelope(parsing: bytes.span)
    guard line.item ?? old.item.text == old.item.text,
      line.body ?? old.body.text == old.body.text
    else { throw Fault(.otherObject, "the envelope is not that of the item and body named") }
    try expected.take(old.item).compare(old)
    let new = try rewriter.rewritten(old)
    return line.replacing(envelope: String(decoding: new.payload, as: UTF8.self))
  }
}
