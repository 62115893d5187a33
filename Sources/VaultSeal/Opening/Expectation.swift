internal import VaultFault
public import VaultFrame

/// What the caller says must come (docs/DESIGN.md, what pins what). Any difference is `other-object`.
///
/// A swap of two good objects, or an older version, is well sealed: only the caller can tell it.
public struct Expectation: Sendable {
  /// The item.
  public var item: ItemID?
  /// Salt and commitment of the body: pins it against all who never held its data key.
  public var body: BodyID?
  /// Bytes of the whole object.
  public var objectBytes: UInt64?
  /// SHA-256 of the whole object: pins it against its readers too.
  public var sha256: [UInt8]?
  /// Bytes of the original.
  public var dataBytes: UInt64?
  /// SHA3-256 of the original.
  public var sha3: [UInt8]?
  /// SHA-256 of the original.
  public var dataSHA256: [UInt8]?
  /// An envelope that takes the place of the object's own slots.
  public var envelope: Envelope?

  /// Expects nothing.
  public init() {}

  /// True when the body or the whole object is pinned.
  var pins: Bool { body != nil || sha256 != nil }

  func compare(_ envelope: Envelope) throws(Fault) {
    if let item, item != envelope.item {
      throw Fault(
        .otherObject, "this is item \(envelope.item.text), item \(item.text) is expected")
    }
    if let body, body != envelope.body {
      throw Fault(.otherObject, "this is another sealing of the item than the expected one")
    }
  }

  func compare(objectBytes found: UInt64) throws(Fault) {
    if let objectBytes, objectBytes != found {
      throw Fault(.otherObject, "the object has \(found) bytes, \(objectBytes) are expected")
    }
  }

  func compare(dataBytes found: UInt64) throws(Fault) {
    if let dataBytes, dataBytes != found {
      throw Fault(.otherObject, "the data has \(found) bytes, \(dataBytes) are expected")
    }
  }

  func compare(objectBytes found: UInt64, sha256 digest: [UInt8]?) throws(Fault) {
    try compare(objectBytes: found)
    if let sha256, sha256 != digest {
      throw Fault(.otherObject, "the SHA-256 of the object is not the expected one")
    }
  }

  /// Compares the digests of the data; one that is expected and not known is no match.
  func compare(dataDigests found: [NamedDigest]) throws(Fault) {
    try compare(sha3, found[.sha3], "SHA3-256")
    try compare(dataSHA256, found[.sha256], "SHA-256")
  }

  private func compare(
    _ wanted: [UInt8]?, _ found: [UInt8]?, _ name: String
  ) throws(Fault) {
    guard let wanted, wanted != found else { return }
    throw Fault(
      .otherObject,
      found == nil
        ? "the \(name) of the data is not known, and one is expected"
        : "the \(name) of the data is not the expected one")
  }
}
