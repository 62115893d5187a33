import Testing
import VaultCLI
import VaultFault

@Suite struct RedactionTests {
  // What is said, what must not be in it, and what must still be.
  @Test(arguments: [
    ("GET https://b.s3.test/k?X-Amz-Signature=cafe&X-Amz-Expires=9 failed", "cafe", "s3.test/k?"),
    (#"cannot reach "https://h.test/x?token=t0k3n": refused"#, "t0k3n", "\": refused"),
    ("X-Amz-Signature=deadbeef&a=b", "deadbeef", "a=b"),
    ("X-Amz-Credential=AKIAX%2F2026&a=b", "AKIAX", "a=b"),
    ("x-amz-security-token: FwoG/+=; x", "FwoG", "x-amz-security-token"),
    ("Authorization: AWS4-HMAC-SHA256 Credential=AKIAX/d, Signature=ab12", "AKIAX", "Authoriz"),
    ("authorization:Basic dXNlcjpwYXNz", "dXNlcjpwYXNz", "authorization:"),
    ("proxy-authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz", "proxy-"),
    ("the server says Bearer eyJhbGci.x.y, no", "eyJhbGci", ", no"),
    ("Credential=AKIAX/2026/us, SignedHeaders=host, Signature=ab12cd", "ab12cd", "SignedHeaders"),
    (#"no such file "AGE-SECRET-KEY-1QQPZRY9X8""#, "QQPZRY9X8", "no such file"),
    ("age-secret-key-1qqpzry9x8 is no path", "qqpzry9x8", "is no path"),
    ("cannot reach https://user:pa55w0rd@host.test/x: refused", "pa55w0rd", "@host.test/x"),
    ("proxy http://user:p@55@host:8080", "p@55", "@host:8080"),
    ("<SignatureProvided>ab12</SignatureProvided><Code>X</Code>", "ab12", "<Code>X</Code>"),
    ("<AWSAccessKeyId>AKIAX</AWSAccessKeyId>", "AKIAX", "</AWSAccessKeyId>"),
    ("<StringToSign>AWS4-HMAC 2026</StringToSign>", "AWS4-HMAC", "</StringToSign>"),
    (#"{"SecretAccessKey" : "wJalr","Code":"x"}"#, "wJalr", #""Code":"x""#),
    (#"says \"access_token\": \"abc.def\", \"k\": 1"#, "abc.def", "k"),
    ("aws_secret_access_key = wJalr", "wJalr", "aws_secret"),
    ("password=hunter2 x", "hunter2", " x"),
    ("Set-Cookie: sid=31d4d96e", "31d4d96e", "Set-Cookie"),
  ])
  func whatLooksLikeASecretIsHidden(text: String, secret: String, kept: String) {
    let shown = Redaction().applied(to: text)
    #expect(!shown.contains(secret))
    #expect(shown.contains(Redaction.mark))
    #expect(shown.contains(kept))
  }

  @Test(arguments: [
    #"cannot store part 3 of "s3://bucket/a b?c": connection refused"#,
    "the upload token: 0123456789abcdef", "cannot read the password: no such file",
    "signature does not match", "unknown option \"--password-file\"",
    "cannot read the bearer token file", "a bearer of bad news",
    "s3://bucket/key", "",
  ])
  func plainSpeechIsLeftAlone(text: String) {
    let shown = Redaction().applied(to: text)
    #expect(shown == text)
  }

  @Test func registeredSecretsAreHiddenInEveryForm() {
    let redaction = Redaction()
    redaction.hide("wJalr/XUt+nFE=")
    redaction.hide("say \"it\"")
    for text in [
      "x wJalr/XUt+nFE= y", "x wJalr%2FXUt%2BnFE%3D y", "x wJalr%2fXUt%2bnFE%3d y",
      "x wJalr/XUt+nFE=wJalr/XUt+nFE= y", #"x say "it" y"#, "x \(quoted("say \"it\"")) y",
    ] {
      let shown = redaction.applied(to: text)
      #expect(!shown.contains("wJalr") && !shown.contains("say"))
      #expect(shown.hasPrefix("x ") && shown.hasSuffix(" y"))
    }
  }

  @Test func aSecretCutByQuotingIsHidden() {
    let redaction = Redaction()
    redaction.hide("0123456789abcdefghijklmnopqrstuvwxyz")
    let body = String(repeating: ".", count: 180) + "0123456789abcdefghijklmnopqrstuvwxyz"
    let shown = redaction.applied(to: "the server says \(quoted(body))")
    #expect(!shown.contains("0123"))
    #expect(shown.hasSuffix("..[secret]\"…"))
  }

  @Test func shortSecretsAreNotRegistered() {
    let redaction = Redaction()
    redaction.hide("the")
    redaction.hide("")
    #expect(redaction.applied(to: "the end") == "the end")
  }

  @Test func everyMessagePassesThroughIt() {
    let machine = Recorder()
    let voice = Diagnostics(
      tool: "vault-put", console: Console(machine.system), verbose: true)
    voice.redaction.hide("tok3n-of-9")
    voice.error(Fault(.remoteFailed, "a tok3n-of-9", hint: "b tok3n-of-9"))
    voice.warning("c tok3n-of-9")
    voice.note("d tok3n-of-9")
    #expect(machine.said.count == 4)
    #expect(machine.said.allSatisfy { $0.hasSuffix(" [secret]\n") })
  }

  @Test func noInputMakesTheScannerTrapOrGrowWithoutBound() {
    let pieces = [
      "://", "@", "?", "Bearer ", "Authorization:", "sig=", "AGE-SECRET-KEY-", "\"…", "\\\"", ":",
      "=", ">", " ", "é", "x", "\n",
    ]
    let redaction = Redaction()
    redaction.hide("xxxx=")
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...8)).map { _ in pieces.randomElement() ?? "" }.joined()
      #expect(redaction.applied(to: text).utf8.count <= 9 * text.utf8.count)
    }
  }
}
