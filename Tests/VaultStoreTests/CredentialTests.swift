import Foundation
import Synchronization
import Testing
import VaultFault

@testable import VaultStore

/// The chain of credentials, each place against a scripted endpoint.
struct CredentialTests {
  let stop = StopFlag()
  static let time: Int64 = 1_440_938_160

  func surroundings(
    _ variables: [String: String], _ files: [String: String] = [:],
    now: @escaping @Sendable () -> Instant = { Instant(seconds: time) }
  ) -> Surroundings {
    let quiet = ["AWS_EC2_METADATA_DISABLED": "true", "HOME": "/h"].merging(variables) { $1 }
    return Surroundings(
      variable: { quiet[$0] }, file: { files[$0].map { Array($0.utf8) } }, now: now)
  }

  func chain(_ surroundings: Surroundings) throws -> CredentialChain {
    try CredentialChain.standard(try S3Settings(surroundings), surroundings)
  }

  func load(_ surroundings: Surroundings) throws -> Credentials {
    try chain(surroundings).current(stop: stop)
  }

  func refused(_ surroundings: Surroundings) -> Fault? {
    do {
      _ = try load(surroundings)
    } catch let error as StoreFault {
      return error.fault
    } catch {
      return error as? Fault
    }
    return nil
  }

  let files = [
    "/h/.aws/credentials": """
    \u{feff}# shared
    [default]\r
    aws_access_key_id = id1\r
    aws_secret_access_key = s3cret= ; not part of it
    [other]
    aws_access_key_id=id2
    aws_secret_access_key=k#y
    aws_session_token=tok
    """,
    "/h/.aws/config": """
    [default]
    region = eu-west-3
    s3 =
      addressing_style = path
      max_concurrent_requests = 20
    [profile other]
    region=ap-south-1
    endpoint_url = http://other:9000
    aws_access_key_id=loses
    [profile role]
    role_arn=arn:aws:iam::1:role/x
    source_profile=default
    external_id=ext
    [profile loop]
    role_arn=arn:aws:iam::1:role/y
    source_profile=loop2
    [profile loop2]
    role_arn=arn:aws:iam::1:role/y
    source_profile=loop
    [profile web]
    role_arn=arn:aws:iam::1:role/w
    web_identity_token_file=/token
    [profile sso]
    sso_session=x
    [profile process]
    credential_process=/bin/echo
    [profile half]
    aws_access_key_id=x
    [profile empty]
    """,
    "/token": "jwt\n",
  ]

  @Test func theEnvironmentComesFirst() throws {
    let found = try load(
      surroundings(
        [
          "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_SESSION_TOKEN": "c",
          "AWS_PROFILE": "other",
        ], files))
    #expect(found == Credentials(accessKeyID: "a", secretAccessKey: "b", sessionToken: "c"))
    #expect("\(found)" == "credentials")
  }

  @Test func halfAKeyPairIsSaidSo() {
    #expect(refused(surroundings(["AWS_ACCESS_KEY_ID": "a"], files))?.kind == .noCredentials)
    #expect(refused(surroundings(["AWS_PROFILE": "half"], files))?.kind == .noCredentials)
  }

  @Test func sharedFilesAreReadTogether() throws {
    let first = try load(surroundings([:], files))
    #expect(first == Credentials(accessKeyID: "id1", secretAccessKey: "s3cret="))
    let other = surroundings(["AWS_PROFILE": "other"], files)
    #expect(
      try load(other)
        == Credentials(accessKeyID: "id2", secretAccessKey: "k#y", sessionToken: "tok"))
    let settings = try S3Settings(other)
    #expect(settings.region == "ap-south-1")
    #expect(settings.endpoint == "http://other:9000")
    let usual = try S3Settings(surroundings([:], files))
    #expect(usual.region == "eu-west-3")
    #expect(usual.addressing == .path)
  }

  @Test func variablesWinOverProfiles() throws {
    let settings = try S3Settings(
      surroundings(
        [
          "AWS_REGION": "r1", "AWS_DEFAULT_REGION": "r2", "AWS_ENDPOINT_URL": "http://a",
          "AWS_ENDPOINT_URL_S3": "http://b", "AWS_CA_BUNDLE": "/ca", "AWS_PROFILE": "other",
        ], files))
    #expect(settings.region == "r1")
    #expect(settings.endpoint == "http://b")
    #expect(settings.caFile == "/ca")
    #expect(try S3Settings(surroundings([:])).region == "us-east-1")
    #expect(throws: Fault.self) { try S3Settings(surroundings(["AWS_REGION": "evil.com/"])) }
  }

  @Test(arguments: ["sso", "process", "half", "empty", "loop", "nobody"])
  func whatCannotBeUsedIsAConfigurationFault(_ profile: String) {
    let fault = refused(surroundings(["AWS_PROFILE": profile], files))
    #expect(fault?.kind == .noCredentials)
    #expect(fault?.status == .configuration)
    if profile == "sso" || profile == "process" {
      #expect(fault?.hint?.contains("export-credentials") == true)
    }
  }

  @Test(arguments: ["x", "[a", "[a]\nnonsense secretvalue", "a=b"])
  func aBrokenFileIsNamedByLineAndNotShown(_ text: String) {
    let fault = refused(surroundings([:], ["/h/.aws/credentials": text]))
    #expect(fault?.kind == .badConfiguration)
    #expect(fault?.reason.contains("secretvalue") == false)
  }

  func tokenServer() throws -> ScriptedServer {
    try ScriptedServer { request, end in
      let action =
        request.text.contains("Action=AssumeRoleWithWebIdentity")
        ? "AssumeRoleWithWebIdentity" : "AssumeRole"
      end.answer(
        200,
        """
        <\(action)Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><\(action)Result>
        <Credentials><AccessKeyId>sid</AccessKeyId><SecretAccessKey>ssec</SecretAccessKey>
        <SessionToken>stok</SessionToken><Expiration>2015-08-30T13:36:00Z</Expiration>
        </Credentials></\(action)Result></\(action)Response>
        """)
    }
  }

  let taken = Credentials(
    accessKeyID: "sid", secretAccessKey: "ssec", sessionToken: "stok",
    expires: Instant(seconds: time + 3600))

  @Test func webIdentityTradesItsToken() throws {
    let server = try tokenServer()
    let found = try load(
      surroundings(
        [
          "AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": "arn:x/y",
          "AWS_ENDPOINT_URL_STS": server.url,
        ], files))
    #expect(found == taken)
    #expect(server.requests[0].text.contains("WebIdentityToken=jwt"))
    #expect(server.requests[0].text.contains("RoleArn=arn%3Ax%2Fy"))
    #expect(server.requests[0].headers["authorization"] == nil)
  }

  @Test func aRoleIsTakenWithItsSource() throws {
    let server = try tokenServer()
    let variables = ["AWS_PROFILE": "role", "AWS_ENDPOINT_URL_STS": server.url]
    #expect(try load(surroundings(variables, files)) == taken)
    let request = server.requests[0]
    #expect(request.text.contains("ExternalId=ext"))
    #expect(
      request.headers["authorization"]?.contains("Credential=id1/20150830/us-east-1/sts/") == true)
    let web = ["AWS_PROFILE": "web", "AWS_ENDPOINT_URL_STS": server.url]
    #expect(try load(surroundings(web, files)) == taken)
  }

  let json = """
    {"Code":"Success","AccessKeyId":"sid","SecretAccessKey":"ssec","Token":"stok",
    "Expiration":"2015-08-30T13:36:00Z"}
    """

  @Test func aContainerAsksItsEndpoint() throws {
    let server = try ScriptedServer { [json] request, end in
      request.headers["authorization"] == "Bearer t" && request.target == "/creds?a=b"
        ? end.answer(200, json) : end.answer(403, "{\"code\":\"x\"}")
    }
    let base = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url + "/creds?a=b"]
    let token = ["AWS_CONTAINER_AUTHORIZATION_TOKEN": "Bearer t"]
    #expect(try load(surroundings(base.merging(token) { $1 })) == taken)
    let file = ["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": "/t"]
    #expect(try load(surroundings(base.merging(file) { $1 }, ["/t": "Bearer t"])) == taken)
    #expect(refused(surroundings(base))?.kind == .noCredentials)
  }

  @Test(arguments: [
    "http://evil.example/x", "http://127.0.0.1.evil.example/", "http://127.0.0.1@evil.example/",
    "http://localhost.evil/", "file:///etc/passwd", "http://10.0.0.1/",
  ])
  func aContainersEndpointIsNearOrSecure(_ url: String) {
    let fault = refused(surroundings(["AWS_CONTAINER_CREDENTIALS_FULL_URI": url]))
    #expect(fault?.kind == .badConfiguration)
  }

  @Test func anInstanceIsAskedWithASessionToken() throws {
    let server = try ScriptedServer { [json] request, end in
      let folder = "/latest/meta-data/iam/security-credentials/"
      switch (request.method, request.target, request.headers["x-aws-ec2-metadata-token"]) {
      case ("PUT", "/latest/api/token", nil): end.answer(200, "session")
      case ("GET", folder, "session"): end.answer(200, "role-1\n")
      case ("GET", folder + "role-1", "session"): end.answer(200, json)
      default: end.answer(401)
      }
    }
    let variables = [
      "AWS_EC2_METADATA_DISABLED": "false", "AWS_EC2_METADATA_SERVICE_ENDPOINT": server.url,
    ]
    #expect(try load(surroundings(variables)) == taken)
    #expect(server.requests.count == 3)
  }

  @Test func withoutAnyTheHintNamesTheVariables() {
    let fault = refused(surroundings([:]))
    #expect(fault?.kind == .noCredentials)
    #expect(fault?.hint?.contains("AWS_ACCESS_KEY_ID") == true)
  }

  @Test func theyAreFetchedAgainFiveMinutesBeforeTheirEnd() throws {
    let server = try ScriptedServer { [json] _, end in end.answer(200, json) }
    let clock = Mutex(Self.time)
    let chain = try chain(
      surroundings(["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url]) {
        Instant(seconds: clock.withLock { $0 })
      })
    let steps: [(Int64, Int)] = [(0, 1), (3299, 1), (3300, 2), (3599, 3)]
    for (later, requests) in steps {
      clock.withLock { $0 = Self.time + later }
      _ = try chain.current(stop: stop)
      #expect(server.requests.count == requests, "\(later)")
    }
  }

  @Test func aServiceThatIsDownStopsNothingWhileTheyAreGood() throws {
    let isDown = Mutex(false)
    let server = try ScriptedServer { [json] _, end in
      isDown.withLock { $0 } ? end.answer(500) : end.answer(200, json)
    }
    let clock = Mutex(Self.time)
    let chain = try chain(
      surroundings(["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url]) {
        Instant(seconds: clock.withLock { $0 })
      })
    _ = try chain.current(stop: stop)
    isDown.withLock { $0 = true }
    clock.withLock { $0 = Self.time + 3400 }
    #expect(try chain.current(stop: stop) == taken)
    clock.withLock { $0 = Self.time + 3600 }
    let error = #expect(throws: StoreFault.self) { try chain.current(stop: stop) }
    #expect(error?.remedy == .transient(retryAfterSeconds: nil))
  }
}
