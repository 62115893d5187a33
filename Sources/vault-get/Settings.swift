import VaultCLI
import VaultFault
import VaultIO
import VaultStore

/// What the options say, in the words of the engine.
enum Settings {
  static func get(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> GetSettings {
    var settings = GetSettings()
    settings.form = try form(arguments)
    settings.takesDigest = try digest(arguments) == .sha256
    settings.jobs = arguments[Options.jobs]
    settings.maxBytes = arguments[Options.maxBytes]
    settings.needsRowsEnd = arguments[Options.rowsEnd]
    settings.policy.tries = arguments[Options.retries] + 1
    settings.notice = { say.error($0) }
    return settings
  }

  private static func form(_ arguments: Arguments) throws(Fault) -> GetSettings.Form {
    let isPlain = arguments[Options.shape] == .plain
    let range = arguments[Options.range]
    if isPlain, range != nil || arguments[Options.heads] {
      throw Fault(.usage, "--as plain reads whole objects: no --range, no --heads")
    }
    if let range { return .range(range) }
    return arguments[Options.heads] ? .heads : isPlain ? .plain : .sealed
  }

  private static func digest(_ arguments: Arguments) throws(Fault) -> Options.PlainDigest {
    guard arguments[Options.shape] == .plain || !arguments.has(Options.digest) else {
      throw Fault(.usage, "--digest is for plain items: it needs --as plain")
    }
    return arguments[Options.digest]
  }

  static func store(
    _ arguments: Arguments, _ say: Diagnostics
  ) throws(Fault) -> S3Settings {
    try S3Settings(
      agent: "vault-get/\(Tool.version)", idleSeconds: arguments[Options.idleTimeout],
      headers: arguments[Options.header],
      addressing: arguments.has(Options.addressing) ? arguments[Options.addressing] : nil,
      hide: { say.redaction.hide($0) })
  }
}
