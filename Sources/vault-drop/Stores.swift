import Synchronization
import VaultCLI
import VaultFault
import VaultIO
import VaultStore

/// The stores that rows name, each opened once.
final class Stores: Sendable {
  private let settings: S3Settings
  private let buckets = Mutex<[String: S3Store]>([:])
  private let files = DirectoryStore()

  init(_ settings: S3Settings) { self.settings = settings }

  static func settings(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> S3Settings {
    try S3Settings(
      agent: "vault-drop/\(Tool.version)", idleSeconds: arguments[Options.idleTimeout],
      headers: arguments[Options.header],
      addressing: arguments.has(Options.addressing) ? arguments[Options.addressing] : nil,
      hide: { say.redaction.hide($0) })
  }

  // What a row says wrongly is that row's fault.
  private func name(_ address: String) throws(Fault) -> SourceName {
    do throws(Fault) { return try SourceName(address) } catch {
      throw Fault(.badRow, error.reason, hint: error.hint)
    }
  }

  /// The store of an address, the name in it, and what the place is called.
  func open(_ address: String) throws(Fault) -> (any Remover, ObjectName, String) {
    switch try name(address) {
    case .object(let location):
      let store = try buckets.withLock { (buckets) throws(Fault) in
        if let store = buckets[location.bucket] { return store }
        let store = try S3Store(bucket: location.bucket, settings)
        buckets[location.bucket] = store
        return store
      }
      return (store, location.name, "s3://\(location.bucket)")
    case .file(let path):
      let name = String(decoding: path.bytes, as: UTF8.self)
      return (files, ObjectName(key: name, shown: name), "files")
    case .url:
      throw Fault(.badRow, "an object behind a URL cannot be removed")
    }
  }
}
