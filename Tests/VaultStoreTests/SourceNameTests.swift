import Testing
import VaultFault
import VaultIO

@testable import VaultStore

@Suite struct SourceNameTests {
  @Test func keysAreTakenByteForByte() throws {
    let key = "//a/../b%20c?d"
    #expect(try SourceName("s3://b/" + key) == .object(S3Location(bucket: "b", key: key)))
  }

  @Test func onlyAFileURLIsDecoded() throws {
    #expect(try SourceName("a%20b") == .file("a%20b"))
    #expect(try SourceName("file:///a%20b") == .file("/a b"))
    #expect(try SourceName("file:/a") == .file("/a"))
  }

  @Test(arguments: ["file:a", "file://host/a", "file:///%zz", "ftp://h/k", "gs://b/k"])
  func whatNamesNothingHereIsUsage(text: String) throws {
    let fault = #expect(throws: Fault.self) { try SourceName(text) }
    #expect(fault?.kind == .usage)
  }

  @Test func aURLShowsItsHostOnly() throws {
    let name = try SourceName("HTTPS://h:1/p?q=SECRET")
    #expect(name.shown == "https://h:1")
    #expect(try SourceName("https://user:SECRET@h/").shown == "a URL")
  }
}
