import Foundation
import Testing
import VaultFault

@testable import VaultStore

/// One case of the public AWS signing suite, a folder of text files.
struct SigningCase {
  let folder: URL
  let context: [String: Any]
  let request: SignableRequest
  let payload: String

  init(_ folder: URL) throws {
    self.folder = folder
    let json = try Data(contentsOf: folder.appending(path: "context.json"))
    context = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    let text = try String(contentsOf: folder.appending(path: "request.txt"), encoding: .utf8)
    let halves = text.components(separatedBy: "\n\n")
    var lines = halves[0].components(separatedBy: "\n")
    let first = lines.removeFirst().dropLast(" HTTP/1.1".count)
    let method = first.prefix { $0 != " " }
    let target = first.dropFirst(method.count + 1).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    request = SignableRequest(
      method: String(method), path: Array(target[0].utf8),
      query: target.count > 1 ? Self.query(String(target[1])) : [],
      headers: Self.headers(lines))
    let body = halves.count > 1 ? halves[1] : ""
    payload = try Self.sha256(body)
  }

  static func sha256(_ text: String) throws -> String { try sha256Hex(Array(text.utf8)) }

  private static func query(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.removingPercentEncoding ?? String($0) }
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }

  private static func headers(_ lines: [String]) -> HttpHeaders {
    var fields: [(name: String, value: String)] = []
    for line in lines where !line.isEmpty {
      if line.hasPrefix(" "), let last = fields.popLast() {
        fields.append((last.name, last.value + "\n" + line))
      } else if let colon = line.firstIndex(of: ":") {
        fields.append((String(line[..<colon]), String(line[line.index(after: colon)...])))
      }
    }
    return HttpHeaders(fields)
  }

  func file(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      .trimmingCharacters(in: .newlines)
  }

  func signer() throws -> Signer {
    let keys = try #require(context["credentials"] as? [String: String])
    let time = try #require(context["timestamp"] as? String)
    return Signer(
      credentials: Credentials(
        accessKeyID: try #require(keys["access_key_id"]),
        secretAccessKey: try #require(keys["secret_access_key"]), sessionToken: keys["token"]),
      scope: SigningScope(
        region: try #require(context["region"] as? String),
        service: try #require(context["service"] as? String),
        time: try #require(Instant(iso: time))),
      pathRule: context["normalize"] as? Bool == true ? .normalised : .raw,
      omitsSessionToken: context["omit_session_token"] as? Bool == true)
  }
}

struct S3SigningSuite {
  static let folder = publicVectors.appending(path: "sigv4")

  static var cases: [URL] {
    let all = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (all ?? []).sorted { $0.path < $1.path }
  }

  @Test(.enabled(if: !cases.isEmpty, "skipped: \(folder.path) is missing"))
  func everyPublicCaseIsSignedAlike() throws {
    for url in Self.cases {
      let suite = try SigningCase(url)
      try inTheHeader(suite)
      try inTheQuery(suite)
    }
    print("sigv4: \(Self.cases.count) public cases, header and query")
    #expect(Self.cases.count == 38)
  }

  private func inTheHeader(_ suite: SigningCase) throws {
    var request = suite.request
    if suite.context["sign_body"] as? Bool == true {
      request.headers.add("x-amz-content-sha256", suite.payload)
    }
    let added = try suite.signer().headers(for: request, payload: suite.payload)
    let expected = try suite.file("header-signature.txt")
    let signed = try suite.file("header-signed-request.txt").components(separatedBy: "\n")
    let authorization = try #require(added["authorization"])
    #expect(authorization.hasSuffix("Signature=\(expected)"), "\(suite.folder.lastPathComponent)")
    #expect(signed.contains("Authorization:\(authorization)"))
  }

  private func inTheQuery(_ suite: SigningCase) throws {
    let seconds = try #require(suite.context["expiration_in_seconds"] as? Int)
    let added = try suite.signer().presigned(
      suite.request, expires: seconds, payload: suite.payload)
    let expected = try suite.file("query-signature.txt")
    #expect(added.last?.value == expected, "\(suite.folder.lastPathComponent)")
    let line = try suite.file("query-signed-request.txt")
    let sent = added.map { percentEncoded($0.name) + "=" + percentEncoded($0.value) }
    #expect(line.contains(sent.joined(separator: "&")))
  }
}
