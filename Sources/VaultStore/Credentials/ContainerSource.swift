internal import VaultFault
internal import VaultRecord

/// The endpoint that ECS and EKS give a container
/// (`AWS_CONTAINER_CREDENTIALS_RELATIVE_URI`, `AWS_CONTAINER_CREDENTIALS_FULL_URI`).
struct ContainerSource: CredentialSource {
  var surroundings: Surroundings
  var client: HttpClient

  func load(stop: StopFlag) throws(StoreFault) -> Credentials? {
    guard let url = try permanently({ () throws(Fault) in try url() }) else { return nil }
    let attempt = "cannot get credentials of the container"
    var request = HttpRequest(method: "GET", url: url, patience: 5000, bypassesProxy: true)
    if let token = try permanently({ () throws(Fault) in try token() }) {
      request.headers.add("Authorization", token)
    }
    let response: HttpResponse
    do { response = try client.send(request, stop: stop) } catch { throw error.fault(attempt) }
    guard response.isSuccess else {
      throw credentialRefusal(response, attempt, surroundings.now())
    }
    guard let found = Credentials(json: response.body) else { throw .unclear(attempt) }
    return found
  }

  private func url() throws(Fault) -> String? {
    if let path = surroundings.variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") {
      return "http://169.254.170.2" + (path.hasPrefix("/") ? path : "/" + path)
    }
    guard let url = surroundings.variable("AWS_CONTAINER_CREDENTIALS_FULL_URI") else { return nil }
    guard isTrusted(url) else {
      throw Fault(
        .badConfiguration, "AWS_CONTAINER_CREDENTIALS_FULL_URI is neither https nor on this host")
    }
    return url
  }

  // Over plain http only to this host and to the two addresses of container agents.
  private func isTrusted(_ url: String) -> Bool {
    let lower = asciiLowercased(url)
    if lower.hasPrefix("https://") { return true }
    guard lower.hasPrefix("http://") else { return false }
    let authority = lower.dropFirst(7).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    // The host of a URL with a user in it stands behind the user.
    guard !authority.contains("@") else { return false }
    let host =
      authority.hasPrefix("[")
      ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    let isLoopback = host.hasPrefix("127.") && host.allSatisfy { "0123456789.".contains($0) }
    return isLoopback
      || ["localhost", "[::1]", "169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]
        .contains(String(host))
  }

  private func token() throws(Fault) -> String? {
    let path = surroundings.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")
    let token =
      try path.map { path throws(Fault) in try surroundings.secret(path) }
      ?? surroundings.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN")
    guard let token else { return nil }
    surroundings.hide(token)
    guard token.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
      throw Fault(.badConfiguration, "the container's authorization token has a control character")
    }
    return token
  }
}

extension Credentials {
  /// The JSON of container endpoints and instance metadata.
  init?(json: [UInt8]) {
    guard let value = try? JSONReader.read(json), let members = value.members else { return nil }
    func text(_ name: String) -> String? {
      members.first { $0.name == name }?.value.string.flatMap { $0.isEmpty ? nil : $0 }
    }
    guard let id = text("AccessKeyId"), let secret = text("SecretAccessKey") else { return nil }
    self.init(
      accessKeyID: id, secretAccessKey: secret, sessionToken: text("Token"),
      expires: text("Expiration").flatMap(Instant.init(iso:)))
  }
}
