internal import Foundation

/// A vector file of our own format: a text header, a blank line, the bytes of a stream
/// (Tests/vectors/README.md).
public struct VectorFile: Sendable {
  /// The folder and the name.
  public let name: String
  /// The bytes of the stream.
  public let stream: [UInt8]
  private let headers: [(name: String, value: String)]

  /// All files, in the order of their names.
  public static func all() throws -> [VectorFile] {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "vectors")
    let manager = FileManager.default
    var found: [VectorFile] = []
    for folder in try manager.contentsOfDirectory(atPath: root.path).sorted() {
      let path = root.appending(path: folder)
      guard !folder.contains("_"), let names = try? manager.contentsOfDirectory(atPath: path.path)
      else { continue }
      for name in names.sorted() {
        let bytes = Array(try Data(contentsOf: path.appending(path: name)))
        found.append(try VectorFile("\(folder)/\(name)", bytes))
      }
    }
    return found
  }

  private init(_ name: String, _ bytes: [UInt8]) throws {
    guard let blank = zip(bytes, bytes.dropFirst()).enumerated().first(where: { $0.1 == (10, 10) })
    else { throw BadVector(what: name) }
    self.name = name
    headers = String(decoding: bytes[..<blank.offset], as: UTF8.self).split(separator: "\n")
      .map { line in
        let (name, value) = (line.prefix { $0 != ":" }, line.drop { $0 != ":" }.dropFirst(2))
        return (String(name), String(value))
      }
    stream = Array(bytes[(blank.offset + 2)...])
  }

  /// The folder.
  public var folder: String { String(name.prefix { $0 != "/" }) }
  /// The first value of a header.
  public subscript(_ name: String) -> String? { all(name).first }
  /// All values of a header.
  public func all(_ name: String) -> [String] {
    headers.filter { $0.name == name }.map(\.value)
  }
}
