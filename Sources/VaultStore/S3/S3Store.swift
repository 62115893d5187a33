internal import VaultDigest
internal import VaultFault
internal import VaultText

/// A bucket as a ``Store``.
///
/// Every object carries its attempt's token in `x-amz-meta-vault-token` and its item in
/// `x-amz-meta-vault-item`. Every body has its length, its SHA-256 in the signature, and a checksum;
/// nothing is ever sent in chunks. What retries need to know is in each ``StoreFault``.
public struct S3Store: Store {
  let session: S3Session

  init(_ session: S3Session) { self.session = session }

  /// True: they are signed, and the server compares them with what has arrived.
  public var needsPartDigests: Bool { true }

  /// The endpoint; a bucket of Amazon's has the same name in all of them.
  public func home(of name: ObjectName) -> String? {
    guard let given = session.given, !given.isAmazon else { return "amazon" }
    return "\(given.scheme)://\(given.authority)\(given.prefix)"
  }

  /// Stores the object with one PUT.
  public func putWhole(
    _ part: PartData, at name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> CommitAnswer {
    let attempt = "cannot store \(quoted(name.shown))"
    let sha256 = try part.neededDigest()
    let extra = ExtraHeaders(hints.headers)
    var headers = birthHeaders(hints)
    headers.add(try checksum(part, hints))
    let creation = try creation(
      name, hints, enforced: { $0.refusesPut }, extra, attempt, stop: stop)
    if creation == .taken { return .exists }
    if !hints.overwrite { headers.add("If-None-Match", "*") }
    let request = S3Request(
      method: "PUT", key: name.key, headers: headers, body: .part(part.bytes),
      payload: hex(sha256), isDecisive: true, attempt: attempt)
    do throws(StoreFault) {
      let response = try session.send(request, stop: stop)
      try XMLElement.refuseError(response, attempt)
      var landed = Landed(response)
      let counted = response.headers["x-amz-checksum-sha256"]
      landed.repeatsDigest = counted == Base64.encode(sha256, padded: true)
      return .stored(landed, creation.claim)
    } catch {
      if error.fault.kind == .exists, !hints.overwrite { return .exists }
      throw error
    }
  }

  /// Opens a multipart upload.
  public func begin(
    at name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> UploadName {
    let attempt = "cannot open an upload of \(quoted(name.shown))"
    let creation = try creation(
      name, hints, enforced: { $0.refusesComplete }, ExtraHeaders(hints.headers), attempt,
      stop: stop)
    if creation == .taken {
      throw StoreFault(Fault(.exists, "\(quoted(name.shown)) exists already"))
    }
    var headers = birthHeaders(hints)
    if hints.checksum == .sha256 { headers.add("x-amz-checksum-algorithm", "SHA256") }
    let request = S3Request(
      method: "POST", key: name.key, query: [("uploads", "")], headers: headers, body: .bytes([]),
      isDecisive: true, attempt: attempt)
    let response = try session.send(request, stop: stop)
    let answer = try XMLElement.expect("InitiateMultipartUploadResult", response, attempt)
    guard let id = answer.text("UploadId") else { throw .unclear(attempt) }
    return UploadName(object: name, id: id)
  }

  /// Stores one part.
  public func putPart(
    _ part: PartData, of upload: UploadName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> PartReceipt {
    let attempt = "cannot store part \(part.number) of \(quoted(upload.object.shown))"
    let sha256 = try part.neededDigest()
    var headers = ExtraHeaders(hints.headers).withData
    headers.add(try checksum(part, hints))
    let request = S3Request(
      method: "PUT", key: upload.object.key,
      query: [("partNumber", String(part.number)), ("uploadId", upload.id)],
      headers: headers, body: .part(part.bytes), payload: hex(sha256), attempt: attempt)
    let response = try session.send(request, stop: stop)
    try XMLElement.refuseError(response, attempt)
    guard let etag = response.headers["etag"], !etag.isEmpty else { throw .unclear(attempt) }
    return PartReceipt(number: part.number, size: part.size, etag: etag, sha256: sha256)
  }

  /// Looks whose object it is.
  public func prove(
    _ name: ObjectName, _ hints: ObjectHints, size: UInt64, stop: StopFlag
  ) throws(StoreFault) -> Proof {
    let look = try look(at: name, ExtraHeaders(hints.headers), stop: stop)
    switch look {
    case .absent: return .absent
    case .forbidden(let fault): return .cannotTell(fault)
    case .there(let response):
      let isOurs =
        response.headers[Self.tokenHeader] == hints.token && response.contentLength == size
      return isOurs ? .ours(Landed(response)) : .other
    }
  }
}

extension S3Store {
  static let tokenHeader = "x-amz-meta-vault-token"
  static let itemHeader = "x-amz-meta-vault-item"

  private func birthHeaders(_ hints: ObjectHints) -> HttpHeaders {
    var headers = ExtraHeaders(hints.headers).all
    headers.add(Self.tokenHeader, hints.token)
    headers.add(Self.itemHeader, hints.item)
    headers.add("Content-Type", "application/octet-stream")
    return headers
  }

  private func checksum(_ part: PartData, _ hints: ObjectHints) throws(StoreFault) -> HttpHeaders {
    switch hints.checksum {
    case .none: return HttpHeaders()
    case .sha256:
      let sha256 = try part.neededDigest()
      return HttpHeaders([("x-amz-checksum-sha256", Base64.encode(sha256, padded: true))])
    case .md5:
      let md5 = try permanently { () throws(Fault) in
        var digest = try Digest(.md5)
        try part.forEachPiece { piece, _ throws(Fault) in try digest.update(piece) }
        return try digest.finish()
      }
      return HttpHeaders([("Content-MD5", Base64.encode(md5, padded: true))])
    }
  }
}

extension PartData {
  // What the store has asked for.
  fileprivate func neededDigest() throws(StoreFault) -> [UInt8] {
    if let sha256 { return sha256 }
    throw StoreFault(Fault(.internalFault, "part \(number) has come without its SHA-256"))
  }
}
