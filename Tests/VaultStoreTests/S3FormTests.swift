import Testing
import VaultFault

@testable import VaultStore

/// Small forms: XML, dates, percent-encoding, locations, endpoints, headers.
struct S3FormTests {
  @Test func xmlIsReadWithItsEntities() throws {
    let text = """
      \u{feff}<?xml version="1.0"?>
      <!-- x --> <s3:A xmlns:s3="u" b='c>'>
        <Key>Net &amp; Works&lt;x&gt;&quot;&apos;&#65;&#x1F600;</Key><Key/>
        <T><![CDATA[<&]]></T>
      </s3:A>
      """
    let root = try #require(XMLElement(document: Array(text.utf8)))
    #expect(root.name == "A")
    #expect(root.text("Key") == "Net & Works<x>\"'A😀")
    #expect(root.all("Key").count == 2)
    #expect(root.text("T") == "<&")
    #expect(root.text("None") == nil)
  }

  @Test(arguments: [
    "", " ", "<", "<a", "<a>", "<a></b>", "<a></a", "<a/><b/>", "x<a/>", "<a/>x", "<a>&bad;</a>",
    "<a>&#xFFFFFFFFF;</a>", "<a>&#+65;</a>", "<a>&#x-0;</a>", "<a>&#xD800;</a>", "<a>&amp</a>",
    "<!DOCTYPE a><a/>", "<a b></a>",
    "<a b=c/>", "<a b='c/>", "<a><!-- </a>", "<a><![CDATA[x</a>", "<?xml <a/>", "< a/>",
    "<a>&;</a>",
    "{\"a\":1}", "<html><br></html>",
  ])
  func junkIsNoDocument(_ text: String) {
    #expect(XMLElement(document: Array(text.utf8)) == nil)
  }

  @Test func depthAndEveryCutAreBounded() {
    let deep = String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17)
    #expect(XMLElement(document: Array(deep.utf8)) == nil)
    let good = Array("<A x=\"1\"><B>a&amp;b</B><!-- c --><C><![CDATA[d]]></C></A>".utf8)
    #expect(XMLElement(document: good) != nil)
    for length in 0..<good.count {
      #expect(XMLElement(document: Array(good.prefix(length))) == nil)
      for byte in [UInt8(0), 0x3c, 0x3e, 0x26, 0xff] {
        var broken = good
        broken[length] = byte
        _ = XMLElement(document: broken)
      }
    }
  }

  @Test func h27DatesDoNotDependOnThePlace() {
    let instant = Instant(seconds: 1_440_938_160)
    #expect(instant.basic == "20150830T123600Z")
    #expect(instant.day == "20150830")
    for text in [
      "2015-08-30T12:36:00Z", "2015-08-30T12:36:00.123Z", "2015-08-30T14:36:00+02:00",
      "2015-08-30T07:06:00-05:30",
    ] { #expect(Instant(iso: text) == instant, "\(text)") }
    #expect(Instant(httpDate: "Sun, 30 Aug 2015 12:36:00 GMT") == instant)
    for junk in [
      "", "2015-08-30", "2015-13-30T12:36:00Z", "2015-08-30T12:36:00", "xxxx-08-30T12:36:00Z",
    ] {
      #expect(Instant(iso: junk) == nil, "\(junk)")
      #expect(Instant(httpDate: junk) == nil)
    }
  }

  @Test(arguments: [
    ("C++ notes.txt", "C%2B%2B%20notes.txt"), ("a+b", "a%2Bb"), ("a%2Bb", "a%252Bb"),
    ("a b", "a%20b"), ("a=b&c", "a%3Db%26c"), ("~*()!", "~%2A%28%29%21"), ("//a/", "//a/"),
    ("a/../b", "a/../b"), ("é", "%C3%A9"), ("?#", "%3F%23"), ("A-z0_9.~", "A-z0_9.~"),
  ])
  func h07EachByteIsEncodedOnce(_ raw: String, _ encoded: String) {
    #expect(percentEncoded(path: raw.utf8) == encoded)
  }

  @Test func h28TheQueryIsSortedByItsEncodedNames() {
    #expect(canonicalQuery([("uploads", "")]) == "uploads=")
    #expect(
      canonicalQuery([("uploadId", "a+/= b"), ("partNumber", "2")])
        == "partNumber=2&uploadId=a%2B%2F%3D%20b")
  }

  @Test func h09ALocationKeepsItsKey() throws {
    for key in ["a", "/a", "//a", "a//b", "a/", "../a", "a%20b", "a?b#c", "{x}", "é"] {
      let location = try S3Location("s3://bucket/" + key)
      #expect(location.bucket == "bucket")
      #expect(location.key == key)
    }
    for bad in ["s3://bucket", "s3://bucket/", "s3:///k", "http://b/k", "s3://b^d/k", "s3://../k"] {
      #expect(throws: Fault.self, "\(bad)") { try S3Location(bad) }
    }
    _ = try S3Location(bucket: "b", key: String(repeating: "é", count: 512))
    #expect(throws: Fault.self) {
      try S3Location(bucket: "b", key: String(repeating: "é", count: 512) + "x")
    }
  }

  @Test func k14AnEndpointIsReadAndItsPasswordNeverShown() throws {
    #expect(try Endpoint("https://h:443/p//") == Endpoint("https://H/p"))
    #expect(try Endpoint("http://[::1]:8333").authority == "[::1]:8333")
    for bad in [
      "", "h", "ftp://h", "http://", "http://u:secret@h", "http://h h", "http://h/a%20?x",
    ] {
      let fault = #expect(throws: Fault.self, "\(bad)") { try Endpoint(bad) }
      #expect(fault?.reason.contains("secret") == false)
    }
  }

  @Test func h17ABucketWithDotsStaysInThePath() throws {
    for (bucket, host) in [
      ("abc", "abc.s3.eu-west-1.amazonaws.com"), ("a.b.c", "s3.eu-west-1.amazonaws.com"),
      ("Abc", "s3.eu-west-1.amazonaws.com"), ("-abc", "s3.eu-west-1.amazonaws.com"),
    ] {
      let store = try S3Store(
        bucket: bucket, S3Settings(region: "eu-west-1"), TestServer.surroundings())
      let request = S3Request(method: "GET", key: "/k", attempt: "")
      let signed = try store.session.sign(
        request, Credentials(accessKeyID: "a", secretAccessKey: "b"), .init(region: "eu-west-1"))
      #expect(signed.headers["host"] == host)
      #expect(signed.url.hasPrefix("https://\(host)/"))
      #expect(signed.url.hasSuffix("//k"))
    }
  }

  @Test func onlyHeadersThatCannotHarmAreAdded() throws {
    try ExtraHeaders.check(name: "X-Amz-Storage-Class", value: "GLACIER_IR")
    try ExtraHeaders.check(name: "Cache-Control", value: "no-store, max-age=0")
    for (name, value) in [
      ("Authorization", "x"), ("x-amz-date", "x"), ("x-amz-meta-vault-token", "x"), ("Host", "x"),
      ("x-amz-tagging", "a\r\nb: c"), ("x-amz-a b", "x"), ("x-amz-content-sha256", "x"),
      ("x-amz-acl:", "x"), ("x-amz-meta-vault_token", "x"), ("x-amz-content_sha256", "x"),
    ] {
      #expect(throws: Fault.self, "\(name)") { try ExtraHeaders.check(name: name, value: value) }
    }
  }
}

@Test(arguments: ["evil.example#", "a@b", "a/b", "a?b", "a\r\nX: y", "..", "", "a:80", "é"])
func noBucketLeavesTheHost(_ bucket: String) {
  var settings = S3Settings(region: "us-east-1")
  settings.addressing = .virtual
  #expect(throws: Fault.self) { try S3Store(bucket: bucket, settings, TestServer.surroundings()) }
}
