import Testing
import VaultFault

@testable import VaultStore

private let item = "0f8fad5b-d9cb-469f-a165-70867728950e"

private func name(_ destination: String, _ target: String? = nil) throws -> ObjectName {
  try Destination(destination).name(item: item, target: target.map { Array($0.utf8) })
}

@Test(arguments: [
  ("s3://b/{item}", "0f8fad5b-d9cb-469f-a165-70867728950e"), ("s3://b//a//b/", "/a//b/"),
  ("s3://b/a%20b+{}", "a%20b+{}"), ("s3://b/{ item}", "{ item}"), ("s3://b/a/../b", "a/../b"),
  ("s3://b/x{", "x{"), ("s3://b/{item}{item}", item + item),
])
func keysAreKeptByteForByte(_ destination: String, _ key: String) throws {
  #expect(try name(destination).key == key)
  let shown = destination.split(separator: "/").prefix(2).joined(separator: "//")
  #expect(try name(destination).shown == "\(shown)/\(key)")
}

@Test(arguments: [
  ("/a/b", "/a/b"), ("a b%20", "a b%20"), ("file:/a%20b", "/a b"),
  ("file:///a%7Bitem%7D", "/a{item}"),
  ("file://localhost/a/{target}", "/a/t"), ("./s3://x", "./s3://x"), ("./s3:x", "./s3:x"),
  ("s3/x", "s3/x"), ("a:b", "a:b"), ("2026-01-01T10:00", "2026-01-01T10:00"),
  ("/s3://x", "/s3://x"),
  ("host/a:b", "host/a:b"), ("http/x", "http/x"),
])
func onlyFileURLsAreDecoded(_ destination: String, _ path: String) throws {
  #expect(try name(destination, "t").key == path)
}

@Test(arguments: [
  "", "s3://", "s3:///k", "s3://b", "s3://b/", "s3://{item}/k", "http://h/x", "https://h/x",
  "ftp://h/x",
  "file:x", "file:", "file://host/x", "file:/a%", "file:/a%2", "file:/a%zz", "file:/a%00",
  "file:/%ff",
  "s3:x", "s3:/b/k", "s3:b/k", "s3//b/k", "S3://b/k", "s3 ://b/k", " s3://b/k", "'s3://b/k'",
  "s3;//b/k",
  "s3:\\b\\k", "s3\u{FF1A}//b/k", "s3a://b/k", "gs://b/k", "minio://b/k", "az://b/k",
  "http:/h/x",
  "HTTP://h/x", "https//h/x", "x:/y", "C:\\x", "file//x", "File:///x", "DEST=s3://b/k",
  "a/s3://b/k",
  "a/{row}", "a/{Item}", "a/{}{x}", "s3://b/{items}",
])
func otherDestinationsAreUsage(_ destination: String) {
  #expect {
    try Destination(destination)
  } throws: {
    ($0 as? Fault)?.status == .usage
  }
}

@Test func aKeyHasAtMost1024Bytes() throws {
  _ = try name("s3://b/" + String(repeating: "é", count: 512))
  #expect(throws: Fault.self) { try name("s3://b/x" + String(repeating: "é", count: 512)) }
}

@Test func aTargetThatIsNotThereOrNotTextIsBad() throws {
  #expect(throws: Fault.self) { try name("s3://b/{target}") }
  #expect(throws: Fault.self) { try Destination("x/{target}").name(item: item, target: [0xff]) }
  #expect(try name("s3://b/{target}", "a//b").key == "a//b")
  #expect(throws: Fault.self) { try name("s3://b/{target}", "a/../b") }
}

@Test(arguments: [
  ("s3:/b/k", "s3://b/k"), ("S3://b/k", "s3://b/k"), ("s3//b/k", "s3://b/k"),
  ("s3:b/k", "s3://b/k"),
  ("minio://b/k", "s3://b/k"), ("http:/h/k", "AWS_ENDPOINT_URL_S3"), ("file//a", "file:///"),
])
func aSlippedAddressIsToldInItsRightForm(_ text: String, _ form: String) {
  let fault = #expect(throws: Fault.self) { try Destination(text) }
  #expect(fault?.hint?.contains(form) == true)
  #expect(fault?.hint?.contains("./") == true)
}

@Test(arguments: ["https:/user:SECRET@h/p", "https//h/p?q=SECRET", "ftp://user:SECRET@h/"])
func aSlippedURLIsNotShown(_ text: String) {
  for fault in [
    #expect(throws: Fault.self) { try Destination(text) },
    #expect(throws: Fault.self) { try SourceName(text) },
  ] {
    #expect(fault?.kind == .usage)
    #expect(fault?.reason.contains("SECRET") == false)
    #expect(fault?.hint?.contains("SECRET") == false)
  }
}

@Test(arguments: ["s3://b/k", "s3:/b/k", "http://h/x"])
func aTargetThatWasMeantAsAnAddressIsBad(_ target: String) {
  for destination in ["x/{target}", "s3://b/{target}"] {
    let fault = #expect(throws: Fault.self) { try name(destination, target) }
    #expect(fault?.kind == .badTarget)
  }
}
