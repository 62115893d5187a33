internal import VaultDigest
internal import VaultFault
internal import VaultText

/// The multipart upload's end, both ways, and its listing.
extension S3Store {
  /// Completes the upload; only a result with an ETag element counts.
  public func commit(
    _ upload: UploadName, _ parts: [PartReceipt], _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> CommitAnswer {
    let name = upload.object
    let attempt = "cannot complete \(quoted(name.shown))"
    guard !parts.isEmpty, parts.enumerated().allSatisfy({ $0.element.number == $0.offset + 1 })
    else { throw StoreFault(Fault(.internalFault, "\(attempt): parts are missing")) }
    let creation = try creation(
      name, hints, enforced: { $0.refusesComplete }, ExtraHeaders(hints.headers), attempt,
      stop: stop)
    if creation == .taken { return .exists }

    let request = try completing(upload, parts, hints, attempt)
    do throws(StoreFault) {
      let response = try session.send(request, stop: stop)
      let answer = try XMLElement.expect("CompleteMultipartUploadResult", response, attempt)
      // Ceph 16 leaves the element empty; without the element it is not the answer.
      guard answer["ETag"] != nil else { throw StoreFault.unclear(attempt) }
      return .stored(Landed(response, etag: answer.text("ETag")), creation.claim)
    } catch {
      if error.fault.kind == .exists, !hints.overwrite { return .exists }
      throw doubtful(error)
    }
  }

  private func completing(
    _ upload: UploadName, _ parts: [PartReceipt], _ hints: ObjectHints, _ attempt: String
  ) throws(StoreFault) -> S3Request {
    let body = Array(completion(parts, hints).utf8)
    var headers = ExtraHeaders(hints.headers).withData
    headers.add("Content-Type", "application/xml")
    if !hints.overwrite { headers.add("If-None-Match", "*") }
    return S3Request(
      method: "POST", key: upload.object.key, query: [("uploadId", upload.id)], headers: headers,
      body: .bytes(body), payload: try digest(body), isDecisive: true, attempt: attempt)
  }

  // The upload is gone: completed by a try whose answer was lost, or taken away by someone else.
  // Likewise a conflict may mean that another of our own tries is being completed.
  private func doubtful(_ error: StoreFault) -> StoreFault {
    let isConflict = error.fault.kind == .remoteFailed
    guard error.fault.kind == .missingObject || isConflict else { return error }
    let kind = FaultKind.remoteFailed
    return StoreFault(
      Fault(kind, error.fault.reason, hint: error.fault.hint), error.remedy, mayHaveHappened: true,
      mayStillHappen: error.mayStillHappen)
  }

  private func completion(_ parts: [PartReceipt], _ hints: ObjectHints) -> String {
    var text = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
    for part in parts {
      text += "<Part><PartNumber>\(part.number)</PartNumber><ETag>\(xmlEscaped(part.etag))</ETag>"
      if hints.checksum == .sha256, let digest = part.sha256 {
        text += "<ChecksumSHA256>\(Base64.encode(digest, padded: true))</ChecksumSHA256>"
      }
      text += "</Part>"
    }
    return text + "</CompleteMultipartUpload>"
  }

  private func digest(_ bytes: [UInt8]) throws(StoreFault) -> String {
    hex(try permanently { () throws(Fault) in try Digest.of(bytes.span, .sha256) })
  }

  /// Takes the upload back; returns when a listing shows that it is gone.
  ///
  /// Where the right to list is missing, the answer to the abort is all there is to go by.
  public func abort(_ upload: UploadName, stop: StopFlag) throws(StoreFault) {
    let attempt =
      "cannot take back the upload \(quoted(upload.id)) of \(quoted(upload.object.shown))"
    let request = S3Request(
      method: "DELETE", key: upload.object.key, query: [("uploadId", upload.id)],
      headers: ExtraHeaders(session.settings.headers).everywhere, attempt: attempt)
    do {
      _ = try session.send(request, stop: stop)
    } catch {
      if error.fault.kind == .missingObject { return }
      throw StoreFault(
        Fault(error.fault.kind, error.fault.reason, hint: cleanUp(upload)), error.remedy)
    }
    do {
      _ = try page(of: upload, after: nil, stop: stop)
    } catch {
      if [.missingObject, .remoteDenied].contains(error.fault.kind) { return }
      throw StoreFault(
        Fault(error.fault.kind, error.fault.reason, hint: cleanUp(upload)), error.remedy)
    }
    // A part that was on its way may have landed after it.
    throw StoreFault(
      Fault(.remoteFailed, "\(attempt): it is still there", hint: cleanUp(upload)),
      .transient(retryAfterSeconds: nil))
  }

  func cleanUp(_ upload: UploadName) -> String {
    let words = [session.bucket, upload.object.key, upload.id].map(shellQuoted)
    return "aws s3api abort-multipart-upload --bucket \(words[0]) --key \(words[1])"
      + " --upload-id \(words[2])"
  }
}

func shellQuoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    + "'"
}
