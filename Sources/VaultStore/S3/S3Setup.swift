public import VaultFault

extension S3Settings {
  /// Reads what this process was given: variables, then the selected profile.
  ///
  /// `AWS_REGION`, `AWS_DEFAULT_REGION`, `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, `AWS_CA_BUNDLE`;
  /// `region`, `endpoint_url`, `ca_bundle`, `s3.addressing_style`.
  ///
  /// - Throws: ``VaultFault/FaultKind/badConfiguration``.
  public init() throws(Fault) { try self.init(.process) }

  /// What this process was given, and what a tool's options add to it: the seconds that may pass while
  /// nothing moves, `--header`s, an addressing style if one was named, where secrets are registered.
  ///
  /// - Throws: ``VaultFault/FaultKind/badConfiguration``, ``VaultFault/FaultKind/usage``.
  public init(
    agent: String, idleSeconds: Int, headers: [String], addressing: Addressing?,
    hide: @escaping @Sendable (String) -> Void
  ) throws(Fault) {
    try self.init()
    patience = idleSeconds * 1000
    self.headers = try ExtraHeaders.parse(headers, hide: hide)
    self.hide = hide
    self.agent = agent
    if let addressing { self.addressing = addressing }
  }

  init(_ surroundings: Surroundings) throws(Fault) {
    self.init(region: "us-east-1")
    let profiles = try Profiles(surroundings)
    let region =
      surroundings.variable("AWS_REGION") ?? surroundings.variable("AWS_DEFAULT_REGION")
      ?? profiles.setting("region")
    if let region {
      guard isRegionName(region) else {
        throw Fault(.badConfiguration, "\(quoted(region)) is not a region's name")
      }
      self.region = region
    }
    endpoint = Self.endpoint("S3", surroundings, profiles)
    caFile = surroundings.variable("AWS_CA_BUNDLE") ?? profiles.setting("ca_bundle")
    if let style = profiles.setting("s3.addressing_style") {
      guard let addressing = Addressing(rawValue: style) else {
        throw Fault(.badConfiguration, "the profile's addressing_style is not one")
      }
      self.addressing = addressing
    }
  }

  static func endpoint(
    _ service: String, _ surroundings: Surroundings, _ profiles: Profiles
  ) -> String? {
    guard !surroundings.isTrue("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") else { return nil }
    return surroundings.variable("AWS_ENDPOINT_URL_\(service)")
      ?? surroundings.variable("AWS_ENDPOINT_URL") ?? profiles.setting("endpoint_url")
  }
}

extension CredentialChain {
  /// All places in their order, read when they are first asked.
  static func standard(
    _ settings: S3Settings, _ given: Surroundings
  ) throws(Fault) -> CredentialChain {
    var surroundings = given
    surroundings.hide = settings.hide
    let client = HttpClient(
      HttpSettings(caFile: settings.caFile, patience: 30_000, agent: settings.agent))
    let named = S3Settings.endpoint("STS", surroundings, try Profiles(surroundings))
    let endpoint: Endpoint
    if let named {
      endpoint = try Endpoint(named)
    } else {
      endpoint = .amazon("sts", region: settings.region)
    }
    let tokens = TokenService(
      client: client, endpoint: endpoint, region: settings.region, now: surroundings.now)
    return CredentialChain(
      [
        EnvironmentSource(surroundings: surroundings),
        WebIdentitySource(surroundings: surroundings, tokens: tokens),
        ProfileSource(surroundings: surroundings, tokens: tokens),
        ContainerSource(surroundings: surroundings, client: client),
        InstanceSource(surroundings: surroundings, client: client),
      ], now: surroundings.now, hide: surroundings.hide)
  }
}

extension S3Store {
  /// A bucket, with the credentials of this process; nothing is fetched before the first call.
  ///
  /// - Throws: ``VaultFault/FaultKind/badConfiguration``, ``VaultFault/FaultKind/badTarget``.
  public init(bucket: String, _ settings: S3Settings) throws(Fault) {
    try self.init(bucket: bucket, settings, .process)
  }

  init(bucket: String, _ settings: S3Settings, _ surroundings: Surroundings) throws(Fault) {
    for (name, value) in settings.headers { try ExtraHeaders.check(name: name, value: value) }
    let chain = try CredentialChain.standard(settings, surroundings)
    self.init(
      try S3Session(bucket: bucket, settings, chain, now: surroundings.now))
  }
}
