internal import VaultFault

extension S3Session {
  /// Gives a request its host, its headers and its signature, made for this very moment.
  func sign(_ request: S3Request, _ keys: Credentials, _ state: Learnt) throws(Fault) -> HttpRequest
  {
    let endpoint = given ?? .amazon("s3", region: state.region)
    let isVirtual = standsInHost(endpoint)
    let host = isVirtual ? "\(bucket).\(endpoint.authority)" : endpoint.authority
    var path = Array((endpoint.prefix + (isVirtual ? "" : "/\(bucket)")).utf8)
    if let key = request.key { path += Array("/\(key)".utf8) } else if isVirtual { path += [0x2f] }

    var headers = HttpHeaders([("Host", host)])
    headers.add(request.headers)
    headers.add("x-amz-content-sha256", request.payload)
    let signable = SignableRequest(
      method: request.method, path: path, query: request.query, headers: headers)
    let time = Instant(seconds: now().seconds + state.clockOffset)
    let signer = Signer(
      credentials: keys,
      scope: SigningScope(region: state.region, service: "s3", time: time))
    headers.add(try signer.headers(for: signable, payload: request.payload))

    let query = request.query.isEmpty ? "" : "?" + canonicalQuery(request.query)
    return HttpRequest(
      method: request.method,
      url: "\(endpoint.scheme)://\(host)\(percentEncoded(path: path))\(query)",
      headers: headers, body: request.body, grace: request.isDecisive ? 5000 : 0)
  }

  // A certificate for *.host covers one label: a bucket with dots stays in the path.
  private func standsInHost(_ endpoint: Endpoint) -> Bool {
    switch settings.addressing {
    case .path: false
    case .virtual: true
    case .auto: endpoint.isAmazon && isHostLabel(bucket)
    }
  }
}

func isHostLabel(_ name: String) -> Bool {
  guard (3...63).contains(name.utf8.count), name.utf8.first != 0x2d, name.utf8.last != 0x2d
  else { return false }
  return name.utf8.allSatisfy {
    (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d
  }
}
