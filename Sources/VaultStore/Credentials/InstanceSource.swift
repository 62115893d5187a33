internal import VaultFault

/// The metadata service of an EC2 instance, version 2: a session token first, then the role.
///
/// A machine without one answers nothing, so it gets one second; version 1 is never used.
struct InstanceSource: CredentialSource {
  var surroundings: Surroundings
  var client: HttpClient

  func load(stop: StopFlag) throws(StoreFault) -> Credentials? {
    guard !surroundings.isTrue("AWS_EC2_METADATA_DISABLED") else { return nil }
    let base = try permanently { () throws(Fault) in try endpoint() }
    let token: String
    do {
      let answer = try client.send(
        request("PUT", base, "api/token", ("X-aws-ec2-metadata-token-ttl-seconds", "21600")),
        stop: stop)
      guard answer.isSuccess else { return nil }
      token = trimmed(answer.body[...])
    } catch {
      if error.kind == .cancelled { throw .stopped }
      return nil
    }
    surroundings.hide(token)
    guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
    return try credentials(base, ("X-aws-ec2-metadata-token", token), stop)
  }

  private func credentials(
    _ base: String, _ token: (String, String), _ stop: StopFlag
  ) throws(StoreFault) -> Credentials? {
    let folder = "meta-data/iam/security-credentials/"
    let roles = try get(request("GET", base, folder, token), stop)
    guard let roles else { return nil }
    let role = roles.split(separator: 0x0a).first.map { trimmed($0) } ?? ""
    guard !role.isEmpty else { return nil }
    let path = folder + percentEncoded(role)
    guard let body = try get(request("GET", base, path, token), stop) else { return nil }
    guard let found = Credentials(json: body) else { throw .unclear(Self.attempt) }
    return found
  }

  private static let attempt = "cannot get credentials of the instance"

  // nil: there is no such thing, the instance has no role.
  private func get(_ request: HttpRequest, _ stop: StopFlag) throws(StoreFault) -> [UInt8]? {
    let response: HttpResponse
    do { response = try client.send(request, stop: stop) } catch { throw error.fault(Self.attempt) }
    if response.status == 404 { return nil }
    guard response.isSuccess else {
      throw credentialRefusal(response, Self.attempt, surroundings.now())
    }
    return response.body
  }

  private func request(
    _ method: String, _ base: String, _ path: String, _ header: (String, String)
  ) -> HttpRequest {
    HttpRequest(
      method: method, url: "\(base)/latest/\(path)",
      headers: HttpHeaders([(name: header.0, value: header.1)]),
      body: method == "PUT" ? .bytes([]) : .none, patience: 1000, bypassesProxy: true)
  }

  private func endpoint() throws(Fault) -> String {
    if let text = surroundings.variable("AWS_EC2_METADATA_SERVICE_ENDPOINT") {
      let given = try Endpoint(text)
      return "\(given.scheme)://\(given.authority)\(given.prefix)"
    }
    let mode = surroundings.variable("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE").map(asciiLowercased)
    return mode == "ipv6" ? "http://[fd00:ec2::254]" : "http://169.254.169.254"
  }
}
