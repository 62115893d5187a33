import Foundation
import Testing
import VaultFault

@testable import VaultStore

/// TLS against a real server: `VAULT_TEST_S3_TLS` is its endpoint, `VAULT_TEST_S3_CA` its authority.
@Suite(
  .enabled(if: TestServer.secureEndpoint != nil, "skipped: VAULT_TEST_S3_TLS is not set"),
  .serialized)
struct LiveS3SecureTests {
  private func put(caFile: String?) throws -> CommitAnswer {
    let store = try TestServer.store {
      $0.endpoint = TestServer.secureEndpoint
      $0.caFile = caFile
    }
    return try store.putWhole(
      testPart(1, [1]), at: TestServer.fresh(), ObjectHints(item: "i", token: "t"),
      stop: StopFlag())
  }

  @Test func aTrustedServerStores() throws {
    guard case .stored = try put(caFile: TestServer.authority) else {
      Issue.record("not stored")
      return
    }
  }

  @Test func aServerThatIsNotTrustedGetsNothing() throws {
    let error = #expect(throws: StoreFault.self) { try put(caFile: nil) }
    #expect(error?.fault.kind == .badConfiguration)
    #expect(error?.fault.hint?.contains("AWS_CA_BUNDLE") == true)
    let missing = #expect(throws: StoreFault.self) { try put(caFile: "/no/such/file") }
    #expect(missing?.fault.kind == .badConfiguration)
  }
}
