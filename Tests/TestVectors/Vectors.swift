internal import Foundation

/// The public vectors that lie beside the package; a test that needs a missing one is skipped by
/// name.
public enum Vectors {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "shared/vectors")

  /// Whether a file is there.
  public static func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: name).path)
  }

  /// A whole file as text.
  public static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// A whole file as JSON.
  public static func json(_ name: String) throws -> Any {
    try JSONSerialization.jsonObject(
      with: try Data(contentsOf: folder.appending(path: name)))
  }

  /// All tests of a Wycheproof file; each also has the members of its group.
  public static func wycheproof(_ name: String) throws -> [[String: Any]] {
    guard let root = try json(name) as? [String: Any],
      let groups = root["testGroups"] as? [[String: Any]]
    else { throw BadVector(what: name) }
    return groups.flatMap { group in
      ((group["tests"] as? [[String: Any]]) ?? []).map { $0.merging(group) { own, _ in own } }
    }
  }
}

/// A vector file that is not what its reader expects.
public struct BadVector: Error {
  let what: String
}

extension [String: Any] {
  /// A member that holds hex.
  public func bytes(_ name: String) throws -> [UInt8] {
    guard let text = self[name] as? String, let bytes = unhex(text) else {
      throw BadVector(what: name)
    }
    return bytes
  }

  /// A member that holds a number.
  public func number(_ name: String) throws -> Int {
    guard let number = self[name] as? Int else { throw BadVector(what: name) }
    return number
  }

  /// Whether Wycheproof calls this test valid.
  public var isValid: Bool { self["result"] as? String == "valid" }

  /// Wycheproof's flags.
  public var flags: [String] { self["flags"] as? [String] ?? [] }

  /// Wycheproof's name of the test.
  public var label: String { "\(self["tcId"] ?? "?") \(self["comment"] ?? "")" }
}

/// Hex of either case.
public func unhex(_ text: String) -> [UInt8]? {
  let digits = Array(text.utf8)
  guard digits.count.isMultiple(of: 2) else { return nil }
  var out: [UInt8] = []
  out.reserveCapacity(digits.count / 2)
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = Character(Unicode.Scalar(digits[index])).hexDigitValue,
      let low = Character(Unicode.Scalar(digits[index + 1])).hexDigitValue
    else { return nil }
    out.append(UInt8(high << 4 | low))
  }
  return out
}
