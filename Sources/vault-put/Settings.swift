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
    settings.headers = try headers(arguments, say)
    settings.checksum = arguments[Options.checksum]
    settings.redact = { say.redaction.applied(to: $0) }
    settings.notice = { say.error($0) }
    return settings
  }

  static func headers(
    _ arguments: Arguments, _ say: Diagnostics
  ) throws(Fault) -> [(name: String, value: String)] {
    var headers: [(name: String, value: String)] = []
    for text in arguments[Options.header] {
      guard let colon = text.firstIndex(of: ":") else {
        throw Fault(.usage, "a header is NAME:VALUE, not \(quoted(text))")
      }
      let value = text[text.index(after: colon)...].drop { $0 == " " }
      let header = (name: String(text[..<colon]), value: String(value))
      try ExtraHeaders.check(name: header.name, value: header.value)
      if ExtraHeaders.isSecret(header.name) { say.redaction.hide(header.value) }
      headers.append(header)
    }
    return headers
  }
}

/// The stores behind the kinds of places.
enum Stores {
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
    var settings = try S3Settings()
    settings.patience = arguments[Options.idleTimeout] * 1000
    settings.headers = try Settings.headers(arguments, say)
    settings.hide = { say.redaction.hide($0) }
    settings.agent = "vault-put/\(Tool.version)"
    if arguments.has(Options.addressing) { settings.addressing = arguments[Options.addressing] }
    return settings
  }

  /// The files that credentials and certificates may be read from while it runs.
  static func files(_ arguments: Arguments) -> [Path] {
    let names = [
      "AWS_CA_BUNDLE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE",
      "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
    ]
    let home = Environment.value("HOME").map { [Path($0 + "/.aws")] } ?? []
    return names.compactMap { Environment.value($0) }.map { Path($0) } + home
  }
}
