internal import VaultFault

extension S3Session {
  /// Says what a refusal means and what may be done, after learning from it what can be learnt.
  func refusal(
    _ response: HttpResponse, _ request: S3Request, _ keys: Credentials, _ state: Learnt,
    _ stop: StopFlag
  ) -> StoreFault {
    let error = S3Error(response)
    let text = "\(request.attempt): \(error.words)"
    switch verdict(error, response, request, keys, state) {
    case .transient:
      return StoreFault(
        Fault(.remoteFailed, text),
        .transient(retryAfterSeconds: retryAfter(response, now: now())),
        mayHaveHappened: error.status >= 500 || response.isSuccess,
        // A gateway says that the server has not answered it.
        mayStillHappen: error.status == 502 || error.status == 504)
    case .skewed:
      return StoreFault(
        Fault(.remoteDenied, text, hint: "set this machine's clock"),
        adoptClock(of: response, over: state) ? .refreshed : .permanent)
    case .expired:
      return StoreFault(
        Fault(
          .remoteDenied, text, hint: "the credentials have expired, and there are no newer ones"),
        credentials.renew(after: keys, stop: stop) ? .refreshed : .permanent)
    case .elsewhere: return elsewhere(error, text, state)
    case .permanent(let kind): return StoreFault(Fault(kind, text, hint: hint(kind, error)))
    }
  }

  // An answer to HEAD has no body, so what it means is read from its headers.
  private func verdict(
    _ error: S3Error, _ response: HttpResponse, _ request: S3Request, _ keys: Credentials,
    _ state: Learnt
  ) -> S3Verdict {
    guard request.method == "HEAD", error.code.isEmpty else { return error.verdict }
    if error.status == 400, let region = error.region, region != state.region { return .elsewhere }
    if error.status == 400, keys.sessionToken != nil { return .expired }
    let date = response.headers["date"].flatMap(Instant.init(httpDate:))
    let ours = now().seconds + state.clockOffset
    if error.status == 403, let date, abs(date.seconds - ours) > 900 { return .skewed }
    return error.verdict
  }

  // Only the signature changes: credentials never go to a host that an answer names.
  private func elsewhere(_ error: S3Error, _ text: String, _ state: Learnt) -> StoreFault {
    if adopt(region: error.region, over: state) {
      return StoreFault(Fault(.wrongRegion, text), .redirected)
    }
    let there = error.region.map { "it is in \(quoted($0))" } ?? "it is elsewhere"
    return StoreFault(
      Fault(
        .wrongRegion, "\(text); \(there), not in \(quoted(state.region))",
        hint: "set AWS_REGION or the endpoint to where the bucket is"))
  }

  private func hint(_ kind: FaultKind, _ error: S3Error) -> String? {
    switch error.code {
    case "NoSuchBucket": "there is no bucket \(quoted(bucket)) at this endpoint"
    case "SignatureDoesNotMatch": "the secret key is not the one of this access key"
    case "InvalidAccessKeyId": "the server does not know this access key"
    default: kind == .storageFull ? "the server has no room left" : nil
    }
  }
}
