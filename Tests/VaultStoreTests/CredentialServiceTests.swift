import Foundation
import Synchronization
import Testing
import VaultFault

@testable import VaultStore

/// Credentials that a service gives: STS, a container's endpoint, an instance's metadata.
struct CredentialServiceTests {
  let base = CredentialTests()
  var stop: StopFlag { base.stop }

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
    expires: Instant(seconds: CredentialTests.time + 3600))

  @Test func webIdentityTradesItsToken() throws {
    let server = try tokenServer()
    let found = try base.load(
      base.surroundings(
        [
          "AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": "arn:x/y",
          "AWS_ENDPOINT_URL_STS": server.url,
        ], base.files))
    #expect(found == taken)
    #expect(server.requests[0].text.contains("WebIdentityToken=jwt"))
    #expect(server.requests[0].text.contains("RoleArn=arn%3Ax%2Fy"))
    #expect(server.requests[0].headers["authorization"] == nil)
  }

  @Test func aRoleIsTakenWithItsSource() throws {
    let server = try tokenServer()
    let variables = ["AWS_PROFILE": "role", "AWS_ENDPOINT_URL_STS": server.url]
    #expect(try base.load(base.surroundings(variables, base.files)) == taken)
    let request = server.requests[0]
    #expect(request.text.contains("ExternalId=ext"))
    #expect(
      request.headers["authorization"]?.contains("Credential=id1/20150830/us-east-1/sts/") == true)
    let web = ["AWS_PROFILE": "web", "AWS_ENDPOINT_URL_STS": server.url]
    #expect(try base.load(base.surroundings(web, base.files)) == taken)
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
    let place = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url + "/creds?a=b"]
    let token = ["AWS_CONTAINER_AUTHORIZATION_TOKEN": "Bearer t"]
    #expect(try base.load(base.surroundings(place.merging(token) { $1 })) == taken)
    let file = ["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": "/t"]
    #expect(
      try base.load(base.surroundings(place.merging(file) { $1 }, ["/t": "Bearer t"])) == taken)
    #expect(base.refused(base.surroundings(place))?.kind == .noCredentials)
  }

  @Test(arguments: [
    "http://evil.example/x", "http://127.0.0.1.evil.example/", "http://127.0.0.1@evil.example/",
    "http://localhost.evil/", "http://127.0.0.1:80@evil.example/",
    "http://localhost:x@evil.example/",
    "file:///etc/passwd", "http://10.0.0.1/",
  ])
  func aContainersEndpointIsNearOrSecure(_ url: String) {
    let fault = base.refused(base.surroundings(["AWS_CONTAINER_CREDENTIALS_FULL_URI": url]))
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
    #expect(try base.load(base.surroundings(variables)) == taken)
    #expect(server.requests.count == 3)
  }

  @Test func theyAreFetchedAgainFiveMinutesBeforeTheirEnd() throws {
    let server = try ScriptedServer { [json] _, end in end.answer(200, json) }
    let clock = Mutex(CredentialTests.time)
    let chain = try base.chain(
      base.surroundings(["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url]) {
        Instant(seconds: clock.withLock { $0 })
      })
    let steps: [(Int64, Int)] = [(0, 1), (3299, 1), (3300, 2), (3599, 3)]
    for (later, requests) in steps {
      clock.withLock { $0 = CredentialTests.time + later }
      _ = try chain.current(stop: stop)
      #expect(server.requests.count == requests, "\(later)")
    }
  }

  @Test func aServiceThatIsDownStopsNothingWhileTheyAreGood() throws {
    let isDown = Mutex(false)
    let server = try ScriptedServer { [json] _, end in
      isDown.withLock { $0 } ? end.answer(500) : end.answer(200, json)
    }
    let clock = Mutex(CredentialTests.time)
    let chain = try base.chain(
      base.surroundings(["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url]) {
        Instant(seconds: clock.withLock { $0 })
      })
    _ = try chain.current(stop: stop)
    isDown.withLock { $0 = true }
    clock.withLock { $0 = CredentialTests.time + 3400 }
    #expect(try chain.current(stop: stop) == taken)
    clock.withLock { $0 = CredentialTests.time + 3600 }
    let error = #expect(throws: StoreFault.self) { try chain.current(stop: stop) }
    #expect(error?.remedy == .transient(retryAfterSeconds: nil))
  }
}
