import Testing
import VaultFault
import VaultRecord

private let item = "0f8fad5b-d9cb-469f-a165-70867728950e"
private let digest = String(repeating: "ab", count: 32)

private func full() throws -> Receipt {
  var receipt = Receipt(.stored, item: item)
  receipt.object = "s3://bucket/a/b \"c\""
  receipt.objectBytes = 70_000
  receipt.dataBytes = 65_536
  receipt.parts = 2
  receipt.sha256 = digest
  receipt.partsSHA256 = "q83v-2"
  receipt.body = "AAAA BBBB"
  receipt.envelope = "vault-envelope/1\nitem \(item)\n"
  receipt.sha3 = digest
  receipt.dataSHA256 = digest
  receipt.etag = "\"x-2\""
  receipt.versionID = "v1"
  receipt.token = String(repeating: "0", count: 32)
  receipt.proof = .head
  receipt.create = "conditional"
  receipt.storedAt = "2026-11-30T00:00:00Z"
  receipt.recovered = true
  receipt.row = Array(#"{"id": 1.10, "p":"a\/b"}"#.utf8)
  receipt.error = RecordError(stage: "vault-put", code: 75, name: "remote-failed", message: "é\t")
  return receipt
}

@Test func receiptMembersStandInTheirOrder() throws {
  let line = String(decoding: try full().line, as: UTF8.self)
  let names = [
    "receipt", "item", "status", "object", "object_bytes", "data_bytes", "parts", "sha256",
    "parts_sha256", "body", "envelope", "sha3_256", "data_sha256", "etag", "version_id", "token",
    "proof", "create",
    "stored_at", "recovered", "row", "error",
  ]
  let members = try #require(try JSONReader.read(Array(line.utf8)).members)
  #expect(members.map(\.name) == names)
  #expect(!line.contains("\n"))
  #expect(line.contains(#""object":"s3://bucket/a/b \"c\"""#))
  #expect(line.hasPrefix(#"{"receipt":"vault/1","item":"0f8f"#))
  #expect(line.contains(#""row":{"id": 1.10, "p":"a\/b"}"#))
}

@Test func receiptsComeBackAsWritten() throws {
  let receipt = try full()
  #expect(try Receipt(line: receipt.line) == receipt)
  let small = Receipt(.failed)
  #expect(small.line == Array(#"{"receipt":"vault/1","status":"failed"}"#.utf8))
  #expect(try Receipt(line: small.line) == small)
}

@Test func membersOfLaterVersionsAreKept() throws {
  let text = #"{"receipt":"vault/1","status":"stored","sig":{"a": 1.0},"space":"x"}"#
  #expect(try Receipt(line: Array(text.utf8)).line == Array(text.utf8))
}

@Test(arguments: [
  "", "[]", "{}", #"{"receipt":"vault/2","status":"stored"}"#, #"{"receipt":"vault/1"}"#,
  #"{"receipt":"vault/1","status":"done"}"#,
  #"{"receipt":"vault/1","status":"stored","parts":"2"}"#,
  #"{"receipt":"vault/1","status":"stored","row":[]}"#,
  #"{"receipt":"vault/1","status":"stored","sha256":"AB"}"#,
  #"{"receipt":"vault/1","status":"stored","item":"x"}"#,
  #"{"receipt":"vault/1","status":"stored","error":{"stage":"x"}}"#,
  #"{"receipt":"vault/1","status":"stored","status":"stored"}"#,
])
func whatIsNotAReceiptIsRefused(_ text: String) {
  #expect { try Receipt(line: Array(text.utf8)) } throws: { ($0 as? Fault)?.kind == .badReceipt }
}

@Test func aReadReceiptIsStableWhateverItWas() throws {
  var random = SplitMix(state: 7)
  let seed = try full().line
  for _ in 0..<10_000 {
    guard let receipt = try? Receipt(line: mutated(seed, &random)) else { continue }
    #expect(try Receipt(line: receipt.line) == receipt)
  }
}

@Test func verdictsSayOnlyWhatWasFound() {
  var verdict = Verdict(.verified(true), .verified, item: item)
  verdict.dataBytes = 5
  verdict.chunks = 1
  verdict.digests = ["sha3-256", "sha256"]
  verdict.compared = ["item", "sha256"]
  verdict.envelope = "rewrapped"
  verdict.sha3Matches = true
  verdict.dataSHA256Matches = true
  let line =
    #"{"verdict":"vault/1","item":"\#(item)","verified":true,"result":"verified","data_bytes":5,"#
  let digests = #""chunks":1,"digests":["sha3-256","sha256"],"compared":["item","sha256"],"#
  let end = #""envelope":"rewrapped","sha3_256_matches":true,"data_sha256_matches":true}"#
  #expect(verdict.line == Array((line + digests + end).utf8))
  #expect(
    Verdict(.consistent(false), .wrong).line
      == Array(#"{"verdict":"vault/1","consistent":false,"result":"wrong"}"#.utf8))
}
