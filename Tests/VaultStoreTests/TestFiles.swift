import Foundation
import Synchronization

func remove(_ path: String) {
  try? FileManager.default.removeItem(atPath: path)
}

/// Temporary files that an upload left.
func hiddenFiles(under path: String) -> [String] {
  let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
  return all.filter { $0.contains(".vault-tmp-") }
}

func linesOfFile(_ path: String) -> [String] {
  let data = FileManager.default.contents(atPath: path) ?? Data()
  return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
}

/// Lines that one thread notes for another.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  func set(_ new: [String]) { lines.withLock { $0 = new } }
  func get() -> [String] { lines.withLock { $0 } }
}

func pipeOfTests() throws -> (read: Int32, write: Int32) {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { throw CocoaError(.fileNoSuchFile) }
  signal(SIGPIPE, SIG_IGN)
  return (ends[0], ends[1])
}

func closeOfTests(_ number: Int32) { close(number) }

extension Bool {
  // True once.
  mutating func take() -> Bool {
    defer { self = false }
    return self
  }
}
