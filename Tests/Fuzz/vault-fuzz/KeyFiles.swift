import VaultCrypto
import VaultFault
import VaultSeal
import VaultText

// Key files. What is accepted is richer than what is written by a byte order mark, CRLF, blank lines,
// comments, a missing last line end, the case of Bech32 and of hex, and by a key's three forms. Apart
// from these the very bytes come back.

func keyFiles(_ bytes: [UInt8]) {
  ignoring { () throws(Fault) in checkKey(try KeyFile.keyEncryptionKey(bytes.span), bytes) }
  ignoring { () throws(Fault) in
    var lines: [[UInt8]] = []
    for identity in try KeyFile.identities(bytes.span) {
      let text = try identity.text()
      lines.append(text.bytes.indices.map { text.bytes[$0] })
    }
    require(lines == keyLines(bytes) { $0.uppercased() }, "identities are written as others")
    let again = try? KeyFile.identities(Array(lines.joined(separator: [0x0A])).span)
    require(again?.count == lines.count, "what is written is no key file")
  }
  ignoring { () throws(Fault) in
    let found = try KeyFile.recipients(bytes.span)
    let lines = found.map { Array($0.text.utf8) }
    require(lines == keyLines(bytes) { $0.lowercased() }, "recipients are written as others")
    let again = try? KeyFile.recipients(Array(lines.joined(separator: [0x0A])).span)
    require(again == found, "what is written are other recipients")
  }
}

private func checkKey(_ key: borrowing Secret, _ bytes: [UInt8]) {
  let raw = key.bytes.indices.map { key.bytes[$0] }
  if bytes.count == 32 { return require(raw == bytes, "a raw key is another") }
  let lines = textLines(bytes)
  require(lines.count == 1, "a key of several lines")
  let text = String(decoding: lines[0], as: UTF8.self)
  let forms = [Base64.encode(raw), Base64.encode(raw, padded: true)]
  require(text.lowercased() == hex(raw) || forms.contains(text), "a key is written as another")
}

private func keyLines(_ bytes: [UInt8], _ folded: (String) -> String) -> [[UInt8]] {
  textLines(bytes).filter { !$0.isEmpty && $0[0] != UInt8(ascii: "#") }
    .map { Array(folded(String(decoding: $0, as: UTF8.self)).utf8) }
}

private func textLines(_ bytes: [UInt8]) -> [[UInt8]] {
  let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
  var lines = bytes.dropFirst(isMarked ? 3 : 0)
    .split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
  let last = lines.count - 1
  for place in 0..<last where lines[place].last == 0x0D { lines[place].removeLast() }
  if lines[last].isEmpty { lines.removeLast() }
  return lines
}
