internal import VaultFault

extension S3Store {
  /// The open uploads of exactly this key, when the key is the item's own.
  ///
  /// A listing shows no token. But an item id belongs to one attempt, so what is open under a key
  /// with the id in it is of this item; under any other key it may be a stranger's.
  public func openUploads(
    of name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> [UploadName] {
    var found: [UploadName] = []
    var marker: UploadMarker?
    repeat {
      let page = try uploads(of: name, after: marker, stop: stop)
      found += page.ids.map { UploadName(object: name, id: $0) }
      guard page.next == nil || page.next != marker else {
        throw StoreFault(
          Fault(.remoteFailed, "the server's listing of \(quoted(name.shown)) has no end"))
      }
      marker = page.next
    } while marker != nil
    guard let first = found.first, !name.key.contains(hints.item) else { return found }
    let what = "\(found.count) uploads of \(quoted(name.shown)) are open and may be ours or not"
    throw StoreFault(Fault(.remoteUnknown, what, hint: cleanUp(first)))
  }

  private struct UploadMarker: Equatable { let key, id: String }

  private func uploads(
    of name: ObjectName, after marker: UploadMarker?, stop: StopFlag
  ) throws(StoreFault) -> (ids: [String], next: UploadMarker?) {
    let attempt = "cannot list the open uploads of \(quoted(name.shown))"
    var query = [(name: "uploads", value: ""), ("prefix", name.key)]
    if let marker { query += [("key-marker", marker.key), ("upload-id-marker", marker.id)] }
    let request = S3Request(
      method: "GET", query: query, headers: ExtraHeaders(session.settings.headers).everywhere,
      attempt: attempt)
    let response = try session.send(request, stop: stop)
    let answer = try XMLElement.expect("ListMultipartUploadsResult", response, attempt)
    let ids = answer.all("Upload").filter { $0["Key"]?.text.utf8.elementsEqual(name.key.utf8) == true }
      .compactMap { $0.text("UploadId") }
    guard answer.text("IsTruncated") == "true" else { return (ids, nil) }
    guard let key = answer.text("NextKeyMarker"), let id = answer.text("NextUploadIdMarker") else {
      throw .unclear(attempt)
    }
    return (ids, UploadMarker(key: key, id: id))
  }
}
