internal import VaultDigest
internal import VaultFault
internal import VaultText

/// A role to take.
struct AssumedRole: Sendable {
  var arn: String
  var session: String
  var externalID: String?
  var seconds: String?

  var form: [(name: String, value: String)] {
    var form = [("RoleArn", arn), ("RoleSessionName", session)]
    if let externalID { form.append(("ExternalId", externalID)) }
    if let seconds { form.append(("DurationSeconds", seconds)) }
    return form.map { (name: $0.0, value: $0.1) }
  }
}

/// The security token service (STS): trades one proof of identity for short-lived credentials.
struct TokenService: Sendable {
  var client: HttpClient
  var endpoint: Endpoint
  var region: String
  var now: @Sendable () -> Instant

  /// With credentials that may take the role.
  func assume(
    _ role: AssumedRole, with base: Credentials, stop: StopFlag
  ) throws(StoreFault) -> Credentials {
    let request = try permanently { () throws(Fault) in
      try signed(form("AssumeRole", role.form), base)
    }
    return try ask(request, "AssumeRole", role, stop)
  }

  /// With a token file that another program keeps fresh (EKS).
  func assume(
    _ role: AssumedRole, webIdentityFile path: String, _ surroundings: Surroundings,
    stop: StopFlag
  ) throws(StoreFault) -> Credentials {
    let token = try permanently { () throws(Fault) in try surroundings.secret(path) }
    let fields = role.form + [(name: "WebIdentityToken", value: token)]
    return try ask(
      form("AssumeRoleWithWebIdentity", fields), "AssumeRoleWithWebIdentity", role, stop)
  }

  private func form(
    _ action: String, _ fields: [(name: String, value: String)]
  ) -> HttpRequest {
    let fixed = [(name: "Action", value: action), (name: "Version", value: "2011-06-15")]
    let headers = HttpHeaders([
      ("Host", endpoint.authority), ("Content-Type", "application/x-www-form-urlencoded"),
    ])
    return HttpRequest(
      method: "POST", url: "\(endpoint.scheme)://\(endpoint.authority)\(endpoint.prefix)/",
      headers: headers, body: .bytes(Array(canonicalQuery(fixed + fields).utf8)))
  }

  private func signed(_ request: HttpRequest, _ keys: Credentials) throws(Fault) -> HttpRequest {
    guard case .bytes(let body) = request.body else { return request }
    let payload = hex(try Digest.of(body.span, .sha256))
    let signer = Signer(
      credentials: keys, scope: SigningScope(region: region, service: "sts", time: now()),
      pathRule: .normalised)
    var signed = request
    let signable = SignableRequest(
      method: "POST", path: Array("\(endpoint.prefix)/".utf8), headers: request.headers)
    signed.headers.add(try signer.headers(for: signable, payload: payload))
    return signed
  }

  private func ask(
    _ request: HttpRequest, _ action: String, _ role: AssumedRole, _ stop: StopFlag
  ) throws(StoreFault) -> Credentials {
    let attempt = "cannot take the role \(quoted(role.arn))"
    let response: HttpResponse
    do { response = try client.send(request, stop: stop) } catch { throw error.fault(attempt) }
    guard response.isSuccess else { throw credentialRefusal(response, attempt, now()) }
    let result = XMLElement(document: response.body)?["\(action)Result"]?["Credentials"]
    guard let result, let id = result.text("AccessKeyId"),
      let secret = result.text("SecretAccessKey"), let token = result.text("SessionToken"),
      let expires = result.text("Expiration").flatMap(Instant.init(iso:))
    else { throw .unclear(attempt) }
    return Credentials(
      accessKeyID: id, secretAccessKey: secret, sessionToken: token, expires: expires)
  }
}

/// The answer of a credential service that gave none.
func credentialRefusal(_ response: HttpResponse, _ attempt: String, _ now: Instant) -> StoreFault {
  let error = S3Error(response)
  let isTransient = error.verdict == .transient
  return StoreFault(
    Fault(isTransient ? .remoteFailed : .noCredentials, "\(attempt): \(error.words)"),
    isTransient ? .transient(retryAfterSeconds: retryAfter(response, now: now)) : .permanent)
}

/// `AWS_WEB_IDENTITY_TOKEN_FILE` and `AWS_ROLE_ARN`.
struct WebIdentitySource: CredentialSource {
  var surroundings: Surroundings
  var tokens: TokenService

  func load(stop: StopFlag) throws(StoreFault) -> Credentials? {
    guard let path = surroundings.variable("AWS_WEB_IDENTITY_TOKEN_FILE") else { return nil }
    guard let arn = surroundings.variable("AWS_ROLE_ARN") else {
      throw StoreFault(
        Fault(.noCredentials, "AWS_WEB_IDENTITY_TOKEN_FILE is set, AWS_ROLE_ARN is not"))
    }
    let role = AssumedRole(
      arn: arn, session: surroundings.variable("AWS_ROLE_SESSION_NAME") ?? "vault-tools")
    return try tokens.assume(role, webIdentityFile: path, surroundings, stop: stop)
  }
}
