/// What looks like a secret wherever it stands: credentials in URLs, signed queries, the headers
/// and fields that carry tokens, secret keys of age.
enum SecretPatterns {
  static func redact(_ bytes: [UInt8]) -> [UInt8] {
    var scan = Scan(bytes: bytes)
    while scan.index < bytes.count {
      if scan.takeAgeKey() || scan.takeURL() || scan.takeBearer() || scan.takeField() { continue }
      scan.copy(1)
    }
    return scan.out
  }

  // Fields named so hide their value after `=`, `:` or `>`, quoted or not.
  static let fields = [
    "x-amz-signature", "x-amz-credential", "x-amz-security-token", "x-aws-ec2-metadata-token",
    "awsaccesskeyid", "signatureprovided", "stringtosign", "stringtosignbytes",
    "canonicalrequest", "canonicalrequestbytes", "secretaccesskey", "secret_access_key",
    "aws_secret_access_key", "aws_session_token", "sessiontoken", "session_token",
    "access_token", "id_token", "refresh_token", "client_secret", "webidentitytoken",
    "x-amz-server-side-encryption-customer-key",
    "x-amz-copy-source-server-side-encryption-customer-key",
  ].map { Array($0.utf8) }
  // Words of plain speech: only an `=` or a tag makes them a field.
  static let words = ["signature", "credential", "sig", "token", "password", "passwd", "secret"]
    .map { Array($0.utf8) }
  // Headers hide all that follows.
  static let headers = ["authorization", "proxy-authorization", "cookie", "set-cookie"]
    .map { Array($0.utf8) }
}

private struct Scan {
  let bytes: [UInt8]
  var index = 0
  var out: [UInt8] = []

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func copy(_ count: Int) {
    out += bytes[index..<min(bytes.count, index + count)]
    index += count
  }

  mutating func hide(to end: Int) {
    if end > index { out += Array(Redaction.mark.utf8) }
    index = max(index, end)
  }

  mutating func takeAgeKey() -> Bool {
    guard stands("age-secret-key-", at: index) else { return false }
    hide(to: end(from: index) { !isWordByte($0) && $0 != UInt8(ascii: "-") })
    return true
  }

  // After `://`: whatever stands before an `@`, and the query of a URL (`?` in an S3 key is a letter).
  mutating func takeURL() -> Bool {
    guard stands("://", at: index) else { return false }
    let scheme = out.suffix(5).map(lowered)
    let hasQuery = scheme.suffix(4) == Array("http".utf8) || scheme == Array("https".utf8)
    copy(3)
    let space = end(from: index) { $0 <= 0x20 || Array("\"'<>".utf8).contains($0) }
    let host = bytes[index..<space].firstIndex { Array("/?#".utf8).contains($0) } ?? space
    if let at = bytes[index..<host].lastIndex(of: UInt8(ascii: "@")) { hide(to: at) }
    if hasQuery, let query = bytes[index..<space].firstIndex(of: UInt8(ascii: "?")) {
      copy(query + 1 - index)
      hide(to: space)
    }
    return true
  }

  // Not a word that follows in plain speech, as in "bearer file".
  mutating func takeBearer() -> Bool {
    guard atWordStart, stands("bearer ", at: index) else { return false }
    copy(7)
    let tokenEnd = end(from: index) { $0 <= 0x20 || Array("\"'<>,;".utf8).contains($0) }
    let isWord = bytes[index..<tokenEnd].allSatisfy { lowered($0) >= 0x61 && isWordByte($0) }
    if !isWord || tokenEnd - index > 8 { hide(to: tokenEnd) }
    return true
  }

  mutating func takeField() -> Bool {
    guard atWordStart else { return false }
    let nameEnd = end(from: index) { !isWordByte($0) && !Array("-_".utf8).contains($0) }
    let name = bytes[index..<nameEnd].map(lowered)
    let isHeader = SecretPatterns.headers.contains(name)
    let isWord = SecretPatterns.words.contains(name)
    guard isHeader || isWord || SecretPatterns.fields.contains(name) else { return false }
    guard let value = valueStart(from: nameEnd, anyMark: !isWord) else { return false }
    copy(value - index)
    let stops = Array((isHeader ? "\"" : "\"'<>&,;").utf8)
    hide(to: end(from: index) { stops.contains($0) || $0 < 0x20 || ($0 == 0x20 && !isHeader) })
    return true
  }

  // Over `=`, `: `, `>`, `": "` or the same with escaped quotes, to the first byte of the value.
  private func valueStart(from start: Int, anyMark: Bool) -> Int? {
    let quotes = Array("\\\"' ".utf8)
    let mark = end(from: start) { !quotes.contains($0) }
    guard mark < bytes.count else { return nil }
    let isPlain = bytes[mark] == UInt8(ascii: "=") || bytes[mark] == UInt8(ascii: ">")
    guard isPlain || (anyMark && bytes[mark] == UInt8(ascii: ":")) else { return nil }
    return end(from: mark + 1) { !quotes.contains($0) }
  }

  private var atWordStart: Bool { index == 0 || !isWordByte(bytes[index - 1]) }

  private func end(from start: Int, where stop: (UInt8) -> Bool) -> Int {
    bytes[min(start, bytes.count)...].firstIndex(where: stop) ?? bytes.count
  }

  private func stands(_ text: StaticString, at index: Int) -> Bool {
    let wanted = Array(String(describing: text).utf8)
    return bytes[index...].prefix(wanted.count).map(lowered) == wanted
  }
}

func isWordByte(_ byte: UInt8) -> Bool {
  (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
}

private func lowered(_ byte: UInt8) -> UInt8 {
  (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
}
