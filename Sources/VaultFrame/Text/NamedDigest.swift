public import VaultFault
internal import VaultText

/// The algorithms that the digest of an item's data may have; the raw value is the name on the wire
/// (FORMAT 5.2).
public enum DataDigest: String, CaseIterable, Sendable {
  /// SHA3-256 (FIPS 202).
  case sha3 = "sha3-256"
  /// SHA-256 (FIPS 180-4).
  case sha256
}

/// A digest of data as our texts name it: the algorithm and its value (FORMAT 5.2).
public struct NamedDigest: Equatable, Hashable, Sendable {
  /// `sha3-256` or `sha256`: the name of a ``DataDigest``.
  public let algorithm: String
  /// The digest's bytes.
  public let value: [UInt8]

  /// Takes the two as they are; ``isKnown`` says whether the format allows them.
  public init(algorithm: String, value: [UInt8]) {
    self.algorithm = algorithm
    self.value = value
  }

  /// True when the algorithm is one of the format's and the length is that of its values.
  public var isKnown: Bool { DataDigest(rawValue: algorithm) != nil && value.count == 32 }

  /// Reads the two fields; nil when they are not a digest that the format allows.
  init?(fields: [String]) {
    guard fields.count == 2, let value = bytes(hex: fields[1]) else { return nil }
    self.init(algorithm: fields[0], value: value)
    guard isKnown else { return nil }
  }

  /// The digests of these lines, each algorithm once: another line of it is dropped, and so the
  /// text refused.
  static func list(_ lines: [[String]]) -> [NamedDigest] {
    var seen: Set<String> = []
    return lines.compactMap(NamedDigest.init(fields:)).filter { seen.insert($0.algorithm).inserted }
  }

  /// The payload of a digest frame.
  public var payload: [UInt8] { Array("\(algorithm) \(hex(value))\n".utf8) }

  /// Reads the payload of a digest frame; throws `bad-text`.
  public init(parsing payload: Span<UInt8>) throws(Fault) {
    let text = String(decoding: payload.copied(), as: UTF8.self)
    let fields = text.dropLast().split(separator: " ", omittingEmptySubsequences: false)
    guard let digest = NamedDigest(fields: fields.map(String.init)),
      digest.payload == Array(text.utf8)
    else { throw Fault(.badText, "a digest frame is not well formed") }
    self = digest
  }
}

extension [NamedDigest] {
  /// The value of that algorithm, 32 bytes; nil when it was not taken.
  public subscript(_ algorithm: DataDigest) -> [UInt8]? {
    first { $0.algorithm == algorithm.rawValue }?.value
  }
}
