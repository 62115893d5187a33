import Foundation
import Testing

/// Public vectors lie beside the package; a test that needs a missing one is skipped by name.
enum Vectors {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "shared/vectors")

  static func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: name).path)
  }

  static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// All tests of a Wycheproof file, each with its group.
  static func wycheproof(_ name: String) throws -> [(group: [String: Any], test: [String: Any])] {
    let data = try Data(contentsOf: folder.appending(path: name))
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let groups = try #require(root["testGroups"] as? [[String: Any]])
    return groups.flatMap { group in
      ((group["tests"] as? [[String: Any]]) ?? []).map { (group, $0) }
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs only where the vector file is.
  static func needs(_ name: String) -> Self {
    .enabled(if: Vectors.has(name), "skipped: \(name) is missing")
  }
}

extension [String: Any] {
  /// A member that holds hex.
  func bytes(_ name: String) throws -> [UInt8] {
    let text = try #require(self[name] as? String)
    return try #require(unhex(text))
  }
}

/// Hex of either case.
func unhex(_ text: String) -> [UInt8]? {
  let digits = text.compactMap(\.hexDigitValue)
  guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
