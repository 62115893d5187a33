internal import Synchronization
public import VaultFault

/// Opens sources by their names; safe from any thread. Objects of one bucket share connections and
/// credentials.
public final class SourceOpener: Sendable {
  private let settings: @Sendable () throws(Fault) -> S3Settings
  private let bearer: String?
  private let followsLinks: Bool
  private let known = Mutex(Known())

  fileprivate struct Known: Sendable {
    var settings: S3Settings?
    var buckets: [String: S3Store] = [:]
    var client: HttpClient?
  }

  /// An opener.
  ///
  /// - Parameters:
  ///   - bearer: a token sent to URLs, and to nothing that they lead to.
  ///   - followsLinks: a JSON answer with `downloadUrl` stands for what that URL gives.
  ///   - settings: asked once, when first needed.
  public init(
    bearer: String? = nil, followsLinks: Bool = false,
    _ settings: @escaping @Sendable () throws(Fault) -> S3Settings
  ) {
    self.bearer = bearer
    self.followsLinks = followsLinks
    self.settings = settings
  }

  /// Opens a source; nothing is asked of a remote yet.
  public func open(_ name: SourceName) throws(Fault) -> any ObjectSource {
    switch name {
    case .file(let path): return try FileSource(path)
    case .object(let location):
      return S3Source(try bucket(location.bucket), location.name)
    case .url(let url):
      return try URLSource(url, bearer: bearer, followsLinks: followsLinks, client())
    }
  }

  private func bucket(_ name: String) throws(Fault) -> S3Store {
    try known.withLock { (known) throws(Fault) in
      if let store = known.buckets[name] { return store }
      let store = try S3Store(bucket: name, try known.current(settings))
      known.buckets[name] = store
      return store
    }
  }

  private func client() throws(Fault) -> HttpClient {
    try known.withLock { (known) throws(Fault) in
      if let client = known.client { return client }
      let made = HttpClient(HttpSettings(try known.current(settings)))
      known.client = made
      return made
    }
  }
}

extension SourceOpener.Known {
  fileprivate mutating func current(
    _ read: () throws(Fault) -> S3Settings
  ) throws(Fault) -> S3Settings {
    if let settings { return settings }
    let found = try read()
    settings = found
    return found
  }
}

extension HttpSettings {
  init(_ settings: S3Settings) {
    self.init(caFile: settings.caFile, patience: settings.patience, agent: settings.agent)
  }
}
