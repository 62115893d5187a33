import Testing
import VaultCrypto
import VaultDigest
import VaultText
import VaultFault
import VaultSeal

private let secretText =
  "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
private let publicText = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"

struct KeyFileTests {
  @Test func agesOwnPairIsRead() throws {
    let identity = try Identity(text: secretText)
    #expect(identity.secret.array == [UInt8](repeating: 0x42, count: 32))
    #expect(identity.recipient.text == publicText)
    #expect(try identity.text().array == Array(secretText.utf8))
    #expect(try Recipient(text: publicText) == identity.recipient)
  }

  @Test func aFreshIdentitySurvivesItsText() throws {
    let identity = try Identity()
    let text = String(decoding: try identity.text().array, as: UTF8.self)
    let again = try Identity(text: text)
    #expect(again.publicKey == identity.publicKey)
    #expect(text.count == 74 && identity.recipient.text.count == 62)
  }

  @Test(
    arguments: [
      "\(secretText)", "\(secretText)\n", "\(secretText)\r\n", "\u{feff}\(secretText)\n",
      "# created: today\n# public key: \(publicText)\n\(secretText)\n",
      "\u{feff}# cr\u{e9}\u{e9}\r\n\r\n\(secretText)\r\n\r\n", "\n\n\(secretText)",
    ])
  func commentsMarksAndLineEndsAreSkipped(file: String) throws {
    #expect(try identities(file).map(\.recipient.text) == [publicText])
  }

  @Test func allIdentitiesAreReadInOrder() throws {
    let other = try Identity()
    let text = String(decoding: try other.text().array, as: UTF8.self)
    let found = try identities("\(text)\n#\n\(secretText)\n")
    #expect(found.map(\.publicKey) == [other.publicKey, try Identity(text: secretText).publicKey])
  }

  private static let otherFiles: [(String, String)] = [
    ("", "no identity"), ("# only a comment\n", "no identity"),
    ("\n\(publicText)\n", "line 2: it is a recipient,"),
    ("AGE-SECRET-KEY-PQ-1QQQQ", "post-quantum"), ("AGE-PLUGIN-YUBIKEY-1QQQQ", "plugin"),
    ("-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n", "encrypted and armored"),
    ("age-encryption.org/v1\n-> scrypt\n", "an age file, encrypted"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\n", "SSH private key"),
    ("-----BEGIN PRIVATE KEY-----\n", "PEM"), ("ssh-ed25519 AAAA", "ssh-ed25519"),
    (secretText.lowercased(), "not an X25519 identity"),
    ("\(secretText.dropLast())Y", "checksum"), ("\(secretText) ", "a space"),
    ("\(secretText)\r", "a space"), (" \(secretText)", "a space"),
    ("\(secretText)\n\(secretText.dropLast())", "line 2:"),
    (String(repeating: "\(secretText)\n", count: 257), "more than 256"),
    ("vault-space/1\n", "space file"),
  ]

  @Test(arguments: otherFiles)
  func otherIdentityFilesAreRefusedByName(file: String, reason: String) {
    let fault = fault { () throws(Fault) in _ = try identities(file) }
    #expect(fault?.kind == .badKeyFile)
    #expect(fault?.reason.contains(reason) == true, "\(fault?.reason ?? "")")
    #expect(fault?.reason.contains("GFPYY") == false)
  }

  private static let otherRecipients: [(String, String)] = [
    ("age1pq1qqqq", "post-quantum"), ("age1yubikey1qqqq", "plugin"),
    ("age1tagpq1qqq", "post-quantum"), ("ssh-ed25519 AAAA me", "ssh-ed25519"),
    ("ssh-rsa AAAA", "ssh-rsa"), (secretText, "a secret key"),
    (publicText.uppercased(), "not an X25519 recipient"), ("\(publicText) ", "a space"),
    ("\(publicText.dropLast())k", "checksum"), ("", "cut short"), ("age1", "cut short"),
    ("AGE-SECRET-KEY-PQ-1QQQQ", "post-quantum"),
  ]

  @Test(arguments: otherRecipients)
  func otherRecipientsAreRefusedByName(text: String, reason: String) {
    let fault = fault { () throws(Fault) in _ = try Recipient(text: text) }
    #expect(fault?.kind == .badRecipient)
    #expect(fault?.reason.contains(reason) == true, "\(fault?.reason ?? "")")
    #expect(fault?.reason.contains("GFPYY") == false)
    #expect(fault?.status == .configuration)
  }

  @Test func pointsThatShareNoSecretAreNoRecipients() throws {
    let zeros = [UInt8](repeating: 0, count: 31)
    var prime = [UInt8](repeating: 0xff, count: 32)
    prime[0] = 0xed
    prime[31] = 0x7f
    let high = [UInt8](repeating: 0xff, count: 32)
    let points: [[UInt8]] = [[0] + zeros, [1] + zeros, prime, high, [9]]
    for point in points {
      let found = fault { () throws(Fault) in _ = try Recipient(publicKey: point) }
      #expect(found?.kind == .badRecipient)
    }
  }

  @Test func recipientFilesKeepTheirOrder() throws {
    let other = try Identity().recipient
    let file = Array("# two\r\n\(other.text)\r\n\n\(publicText)".utf8)
    #expect(try KeyFile.recipients(file.span).map(\.text) == [other.text, publicText])
    let bad = fault { () throws(Fault) in
      let file = Array("\(publicText)\nage1".utf8)
      _ = try KeyFile.recipients(file.span)
    }
    #expect(bad?.kind == .badRecipient && bad?.reason.hasPrefix("line 2: ") == true)
  }

  @Test func utf16IsNamed() {
    for mark in [[0xff, 0xfe], [0xfe, 0xff], []] as [[UInt8]] {
      let wide = mark + Array(secretText.utf8).flatMap { [$0, 0] }
      for file in [wide, mark + Array(secretText.utf8).flatMap { [0, $0] }] {
        let one = fault { () throws(Fault) in _ = try KeyFile.identities(file.span) }
        let two = fault { () throws(Fault) in _ = try KeyFile.keyEncryptionKey(file.span) }
        #expect(one?.reason.contains("UTF-16") == true && one?.kind == .badKeyFile)
        #expect(two?.reason.contains("UTF-16") == true && two?.kind == .badKeyFile)
      }
    }
  }

  private func identities(_ text: String) throws(Fault) -> [Identity] {
    let bytes = Array(text.utf8)
    return try KeyFile.identities(bytes.span)
  }
}

struct KeyEncryptionKeyTests {
  private let key = [UInt8](200..<232)

  @Test func rawHexAndBase64GiveTheSameKey() throws {
    let digits = hex(key)
    let padded = Base64.encode(key, padded: true)
    let bare = Base64.encode(key, padded: false)
    #expect(try load(key) == key)
    for text in [digits, digits.uppercased(), padded, bare] {
      for end in ["", "\n", "\r\n"] {
        #expect(try load(Array((text + end).utf8)) == key)
        #expect(try load(Array(("\u{feff}" + text + end).utf8)) == key)
      }
    }
  }

  @Test func everyOtherSizeIsRefusedAndNamed() {
    for count in 0...100 where count != 32 {
      let found = fault { () throws(Fault) in
        _ = try load([UInt8](repeating: 0xe9, count: count))
      }
      #expect(found?.kind == .badKeyFile)
      #expect(found?.reason.contains("\(count) bytes") == true)
    }
  }

  @Test func textThatIsAlmostAKeyIsRefused() {
    let digits = hex(key)
    let padded = Base64.encode(key, padded: true)
    let texts: [String] = [
      "\(digits)\n\n", "\(digits) ", " \(digits)", "\(digits.dropLast())g", "\(digits)\r",
      "\(padded.dropLast(2))9=", "\(padded)=", "\(digits)\n\(digits)", "0x\(digits.dropLast(2))",
      String(repeating: "-", count: 43),
    ]
    for text in texts {
      let found = fault { () throws(Fault) in _ = try load(Array(text.utf8)) }
      #expect(found?.kind == .badKeyFile, "\(text.count)")
    }
  }

  private func load(_ file: [UInt8]) throws(Fault) -> [UInt8] {
    try KeyFile.keyEncryptionKey(file.span).array
  }
}

extension Identity {
  fileprivate convenience init(text: String) throws(Fault) {
    let bytes = Array(text.utf8)
    try self.init(text: bytes.span)
  }
}

private func fault(_ work: () throws(Fault) -> Void) -> Fault? {
  do throws(Fault) {
    try work()
    return nil
  } catch { return error }
}
