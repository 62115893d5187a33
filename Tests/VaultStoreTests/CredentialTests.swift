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

  @Test func withoutAnyTheHintNamesTheVariables() {
    let fault = refused(surroundings([:]))
    #expect(fault?.kind == .noCredentials)
    #expect(fault?.hint?.contains("AWS_ACCESS_KEY_ID") == true)
  }
}
