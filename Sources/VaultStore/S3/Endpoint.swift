internal import VaultFault

/// Where a service listens: `https://host[:port][/prefix]`.
struct Endpoint: Equatable, Sendable {
  var scheme: String
  /// Host and port as the `Host` header has them.
  var authority: String
  /// Before every path; empty or `/prefix`.
  var prefix = ""
  /// Named by the user, not made from a region.
  var isGiven = true

  /// Reads an endpoint that the user gave; it is not shown if it holds a password.
  init(_ text: String) throws(Fault) {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1)
    let scheme = asciiLowercased(
      parts.first.map { String(decoding: Array($0), as: UTF8.self) } ?? "")
    guard parts.count == 2, scheme == "http" || scheme == "https", parts[1].starts(with: "//".utf8)
    else { throw Fault(.badConfiguration, "an endpoint is not an http or https URL") }
    let rest = parts[1].dropFirst(2)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    guard !authority.contains(UInt8(ascii: "@")) else {
      throw Fault(.badConfiguration, "an endpoint holds a user name or password")
    }
    var prefix = Array(rest.dropFirst(authority.count))
    while prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
    guard !authority.isEmpty, authority.allSatisfy(isHostByte), prefix.allSatisfy(isPathByte) else {
      throw Fault(.badConfiguration, "the endpoint \(quoted(text)) is not a good URL")
    }
    self.scheme = scheme
    self.authority = withoutUsualPort(
      asciiLowercased(String(decoding: Array(authority), as: UTF8.self)), scheme)
    self.prefix = String(decoding: prefix, as: UTF8.self)
  }

  private init(amazon service: String, region: String) {
    scheme = "https"
    let suffix = region.hasPrefix("cn-") ? ".cn" : ""
    authority = "\(service).\(region).amazonaws.com\(suffix)"
    isGiven = false
  }

  /// Amazon's own endpoint of a service in a region.
  static func amazon(_ service: String, region: String) -> Endpoint {
    Endpoint(amazon: service, region: region)
  }

  var isAmazon: Bool {
    authority.hasSuffix(".amazonaws.com") || authority.hasSuffix(".amazonaws.com.cn")
  }
}

/// A region's name, where it enters a host's name or a signature.
func isRegionName(_ text: String) -> Bool {
  (1...48).contains(text.utf8.count)
    && text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || (0x41...0x5a).contains($0)
        || $0 == 0x2d || $0 == 0x5f
    }
}

// The URL and the signed Host header must be the same, and libcurl leaves the usual port out.
private func withoutUsualPort(_ authority: String, _ scheme: String) -> String {
  let usual = scheme == "https" ? ":443" : ":80"
  return authority.hasSuffix(usual) ? String(authority.dropLast(usual.utf8.count)) : authority
}

private func isHostByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x3a, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5b, 0x5d, 0x5f: true
  default: false
  }
}

private func isPathByte(_ byte: UInt8) -> Bool {
  isHostByte(byte) || byte == 0x2f || byte == 0x7e
}
