internal import VaultFault
public import VaultFrame

/// Which digests of the data are taken to be compared with those of the manifest.
public enum TakenDigests: Equatable, Sendable {
  /// All that the format knows: which of them count shows only at the end of a stream.
  case all
  /// Those that the manifest is known to name; another one in it is no match.
  case named(Set<DataDigest>)
  /// None: the data is authenticated, and its size compared.
  case none
}

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
  /// The envelope that a receipt has recorded. Where the object's own is another, both must be of one
  /// data key.
  var recorded: Envelope?
  /// False for what a row says that is a receipt of something else than a stored object.
  var isStored = true
  /// In how many parts a receipt says that the object was stored.
  var parts: UInt64?
  /// The name that a receipt discloses.
  var name: String?
  /// The media type that a receipt discloses.
  var mediaType: String?

  /// Which digests the manifest is held against. What ``sha3`` and ``dataSHA256`` say must come is
  /// compared in any case.
  public var digests = TakenDigests.all

  /// Expects nothing.
  public init() {}

  /// True when the body, the whole object or its data is pinned: what makes a verdict `verified`.
  var pins: Bool { body != nil || sha256 != nil || sha3 != nil || dataSHA256 != nil }

  /// What an item that agrees was held against, in the words of receipts. Of parts an object shows only
  /// whether there can be so many, so they are not named.
  var compared: [String] {
    let members: [(String, Bool)] = [
      ("item", item != nil), ("body", body != nil), ("envelope", recorded != nil),
      ("object_bytes", objectBytes != nil), ("data_bytes", dataBytes != nil),
      ("sha256", sha256 != nil), ("sha3_256", sha3 != nil), ("data_sha256", dataSHA256 != nil),
      ("name", name != nil), ("media_type", mediaType != nil),
    ]
    return members.filter(\.1).map(\.0)
  }

  /// The digests to take.
  var taken: Set<DataDigest> {
    var taken: Set<DataDigest> =
      switch digests {
      case .all: Set(DataDigest.allCases)
      case .named(let named): named
      case .none: []
      }
    if sha3 != nil { taken.insert(.sha3) }
    if dataSHA256 != nil { taken.insert(.sha256) }
    return taken
  }

  /// Throws `digest-mismatch` unless the manifest's digests are those of the data.
  func compare(_ manifest: Manifest, _ found: [NamedDigest]) throws(Fault) {
    for digest in manifest.digests {
      let value = DataDigest(rawValue: digest.algorithm).flatMap { found[$0] }
      if value == digest.value || value == nil && digests == .none { continue }
      throw Fault(
        .digestMismatch,
        value == nil
          ? "the manifest has another kind of digest than when it was looked at first"
          : "the \(digest.algorithm) of the data is not the manifest's")
    }
  }

  func compare(_ found: ItemID) throws(Fault) {
    guard let item, item != found else { return }
    throw Fault(.otherObject, "this is item \(found.text), item \(item.text) is expected")
  }

  func compare(_ envelope: Envelope) throws(Fault) {
    try compare(envelope.item)
    if let body, body != envelope.body {
      throw Fault(.otherObject, "this is another sealing of the item than the expected one")
    }
  }

  func compare(objectBytes found: UInt64) throws(Fault) {
    if let objectBytes, objectBytes != found {
      throw Fault(.otherObject, "the object has \(found) bytes, \(objectBytes) are expected")
    }
    if let parts, !PartCount.allows(parts, of: found) {
      throw Fault(.otherObject, "an object of \(found) bytes was never stored in \(parts) parts")
    }
  }

  func compare(_ description: Description) throws(Fault) {
    if let name, Array(name.utf8) != description.name {
      throw Fault(.otherObject, "the name of the data is not the expected one")
    }
    if let mediaType, mediaType != description.mediaType {
      throw Fault(.otherObject, "the media type of the data is not the expected one")
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

/// How many parts an object can have been stored in: what S3 allows, and so `vault-chunk`.
private enum PartCount {
  private static let smallest: UInt64 = 5 << 20
  private static let largest: UInt64 = 5 << 30
  private static let most: UInt64 = 10_000

  static func allows(_ parts: UInt64, of bytes: UInt64) -> Bool {
    let fewest = max(1, bytes / largest + (bytes % largest == 0 ? 0 : 1))
    let most = min(most, max(1, bytes / smallest + (bytes % smallest == 0 ? 0 : 1)))
    return fewest...max(fewest, most) ~= parts
  }
}
