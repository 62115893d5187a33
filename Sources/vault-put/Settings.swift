import VaultCLI
import VaultFault
import VaultIO
import VaultStore

/// What the options say, in the words of the engine.
enum Settings {
  static func put(
    _ destination: Destination, _ arguments: Arguments, _ say: Diagnostics
  ) throws(Fault) -> PutSettings {
    var settings = PutSettings(destination)
    settings.jobs = arguments[Options.jobs]
    settings.memory = Int(arguments[Options.memory])
    settings.temporary =
      arguments[Options.temp]?.path ?? Path(Environment.value("TMPDIR") ?? "/tmp")
    settings.overwrite = arguments[Options.overwrite]
    settings.headers = try ExtraHeaders.parse(arguments[Options.header]) { say.redaction.hide($0) }
    settings.checksum = arguments[Options.checksum]
    settings.proof = arguments[Options.proof]
    settings.redact = { say.redaction.applied(to: $0) }
    settings.notice = { say.error($0) }
    return settings
  }
}

/// The stores behind the kinds of places.
enum Stores {
  static func open(
    _ destination: Destination, _ arguments: Arguments, _ say: Diagnostics
  ) throws(Fault) -> any Store {
    guard destination.place == .files else { return try open(destination.place, arguments, say) }
    guard !arguments[Options.makeDirectories] else { return DirectoryStore() }
    let store = DirectoryStore(root: destination.directory)
    try store.requireRoot()
    return store
  }

  static func open(
    _ place: Destination.Place, _ arguments: Arguments, _ say: Diagnostics
  ) throws(Fault) -> any Store {
    var policy = RetryPolicy.standard
    policy.tries = arguments[Options.retries] + 1
    switch place {
    case .files: return DirectoryStore()
    case .bucket(let bucket):
      return Retry(try S3Store(bucket: bucket, settings(arguments, say)), policy)
    }
  }

  private static func settings(
    _ arguments: Arguments, _ say: Diagnostics
  ) throws(Fault) -> S3Settings {
    try S3Settings(
      agent: "vault-put/\(Tool.version)", idleSeconds: arguments[Options.idleTimeout],
      headers: arguments[Options.header],
      addressing: arguments.has(Options.addressing) ? arguments[Options.addressing] : nil,
      hide: { say.redaction.hide($0) })
  }
}
