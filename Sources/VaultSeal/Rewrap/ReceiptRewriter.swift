public import VaultFault
internal import VaultFrame
internal import VaultRecord

/// Rewrites the envelopes of receipts and rows, a line at a time; no object is touched, and no other
/// byte of a line.
public struct ReceiptRewriter: Sendable {
  private let rewriter: EnvelopeRewriter

  /// Takes what becomes of each envelope.
  public init(_ rewriter: EnvelopeRewriter) { self.rewriter = rewriter }

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
    let new = try rewriter.rewritten(old)
    return line.replacing(envelope: String(decoding: new.payload, as: UTF8.self))
  }
}
