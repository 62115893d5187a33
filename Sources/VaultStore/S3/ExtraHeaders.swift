public import VaultFault

/// The headers that a user adds to requests (`--header NAME:VALUE`).
public struct ExtraHeaders: Sendable {
  private let fields: [(name: String, value: String)]

  init(_ fields: [(name: String, value: String)]) { self.fields = fields }

  /// Checks one header: `x-amz-*` or `cache-control`, none that is ours, nothing that breaks lines.
  ///
  /// - Throws: ``VaultFault/FaultKind/usage``.
  public static func check(name: String, value: String) throws(Fault) {
    let lower = asciiLowercased(name)
    // Some servers take an underscore for a hyphen.
    let plain = lower.split(separator: "_", omittingEmptySubsequences: false)
      .joined(separator: "-")
    guard lower.utf8.allSatisfy(isTokenByte), lower.hasPrefix("x-amz-") || lower == "cache-control"
    else {
      throw Fault(
        .usage, "the header \(quoted(name)) cannot be added",
        hint: "x-amz-… and cache-control can be")
    }
    guard !ours.contains(plain), !plain.hasPrefix("x-amz-meta-vault-"),
      !plain.hasPrefix("x-amz-checksum-")
    else { throw Fault(.usage, "the header \(quoted(name)) is set by vault-put itself") }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
      throw Fault(.usage, "the value of the header \(quoted(name)) has a control character")
    }
  }

  /// Reads what `--header` gives, each `NAME:VALUE`; `hide` is told of the values that are keys.
  ///
  /// - Throws: as ``check(name:value:)``.
  public static func parse(
    _ texts: [String], hide: (String) -> Void
  ) throws(Fault) -> [(name: String, value: String)] {
    var headers: [(name: String, value: String)] = []
    for text in texts {
      guard let colon = text.firstIndex(of: ":") else {
        throw Fault(.usage, "a header is NAME:VALUE, not \(quoted(text))")
      }
      let value = text[text.index(after: colon)...].drop { $0 == " " }
      let header = (name: String(text[..<colon]), value: String(value))
      try check(name: header.name, value: header.value)
      if isSecret(header.name) { hide(header.value) }
      headers.append(header)
    }
    return headers
  }

  /// Whether a header's value is a key, which no output may say.
  public static func isSecret(_ name: String) -> Bool {
    asciiLowercased(name).hasSuffix("-customer-key")
  }

  private static let ours: Set<String> = [
    "x-amz-date", "x-amz-content-sha256", "x-amz-security-token", "x-amz-decoded-content-length",
    "x-amz-trailer", "x-amz-sdk-checksum-algorithm", "x-amz-copy-source",
  ]

  /// For the request that makes an object.
  var all: HttpHeaders { HttpHeaders(fields) }

  /// For every request: who pays, whose bucket it must be.
  var everywhere: HttpHeaders {
    HttpHeaders(fields.filter { Self.steady.contains(asciiLowercased($0.name)) })
  }

  /// For requests that carry or read data: the customer's own server-side key too.
  var withData: HttpHeaders {
    HttpHeaders(
      fields.filter {
        let name = asciiLowercased($0.name)
        return Self.steady.contains(name)
          || name.hasPrefix("x-amz-server-side-encryption-customer-")
      })
  }

  private static let steady: Set<String> = ["x-amz-request-payer", "x-amz-expected-bucket-owner"]
}

// RFC 9110 §5.6.2, the part of it that header names use.
private func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
  default: false
  }
}
