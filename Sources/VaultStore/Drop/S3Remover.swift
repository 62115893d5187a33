internal import VaultDigest
internal import VaultFault
internal import VaultIO
internal import VaultText

extension S3Store: Remover {
  /// HEAD.
  public func facts(of name: ObjectName, stop: StopFlag) throws(StoreFault) -> ObjectFacts? {
    let seen = try look(at: name, ExtraHeaders(session.settings.headers), stop: stop)
    switch seen {
    case .absent: return nil
    case .forbidden(let fault): throw StoreFault(fault)
    case .there(let response):
      return ObjectFacts(
        size: response.contentLength, etag: response.headers["etag"],
        versionID: response.headers["x-amz-version-id"], item: response.headers[Self.itemHeader])
    }
  }

  /// DELETE: of exactly that version where the bucket has versions, else with If-Match.
  public func remove(
    _ name: ObjectName, _ facts: ObjectFacts, stop: StopFlag
  ) throws(StoreFault) -> Removal {
    let attempt = "cannot remove \(quoted(name.shown))"
    var headers = ExtraHeaders(session.settings.headers).everywhere
    var query: [(name: String, value: String)] = []
    if let version = facts.exactVersion {
      query = [("versionId", version)]
    } else {
      guard let etag = facts.etag, !etag.isEmpty else {
        throw StoreFault(Fault(.remoteRefused, "\(attempt): the server gives no ETag to match"))
      }
      headers.add("If-Match", etag)
    }
    let request = S3Request(
      method: "DELETE", key: name.key, query: query, headers: headers, attempt: attempt)
    do throws(StoreFault) {
      let response = try session.send(request, stop: stop)
      try XMLElement.refuseError(response, attempt)
      return .removed
    } catch {
      switch error.fault.kind {
      case .missingObject: return .absent
      case .exists: return .changed
      default: throw error
      }
    }
  }

  /// Puts a small object, removes it with a wrong tag, and looks whether it is still there.
  public func heedsConditions(near name: ObjectName, stop: StopFlag) throws(StoreFault) -> Bool {
    let token = hex(try permanently { () throws(Fault) in try Entropy.bytes(16) })
    let probe = try permanently { () throws(Fault) in
      try S3Location(bucket: session.bucket, key: "vault-drop-probe-\(token)").name
    }
    let bytes = Array("vault-drop looks whether this bucket heeds If-Match of DELETE\n".utf8)
    let digest = try permanently { () throws(Fault) in try Digest.of(bytes.span, .sha256) }
    let part = PartData(number: 1, offset: 0, bytes: ArrayBytes(bytes), sha256: digest)
    _ = try putWhole(part, at: probe, ObjectHints(item: "probe", token: token), stop: stop)
    guard var facts = try facts(of: probe, stop: stop) else { return false }
    let real = facts
    facts.etag = "\"00000000000000000000000000000000\""
    facts.versionID = nil
    let heeded = try remove(probe, facts, stop: stop) == .changed
    let left = try self.facts(of: probe, stop: stop)
    if left != nil { _ = try remove(probe, real, stop: stop) }
    return heeded && left == real
  }
}
