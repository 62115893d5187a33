internal import VaultFault
internal import VaultText

/// One page of a listing of parts.
struct PartPage: Sendable {
  var parts: [PartReceipt]
  /// Where the next page begins; nil: this is the last.
  var next: String?
}

extension S3Store {
  /// All parts of an open upload, all pages.
  ///
  /// - Throws: a listing that repeats itself or has no end is `remote-failed`, never an answer.
  public func listParts(_ upload: UploadName, stop: StopFlag) throws(StoreFault) -> [PartReceipt] {
    var parts: [Int: PartReceipt] = [:]
    var marker: String?
    repeat {
      let page = try page(of: upload, after: marker, stop: stop)
      let before = parts.count
      for part in page.parts { parts[part.number] = part }
      if page.next != nil, parts.count == before || page.next == marker {
        throw StoreFault(
          Fault(.remoteFailed, "the server's listing of \(quoted(upload.object.shown)) has no end"))
      }
      marker = page.next
    } while marker != nil
    return parts.values.sorted { $0.number < $1.number }
  }

  func page(
    of upload: UploadName, after marker: String?, stop: StopFlag
  ) throws(StoreFault) -> PartPage {
    let attempt = "cannot list the parts of \(quoted(upload.object.shown))"
    var query = [(name: "uploadId", value: upload.id)]
    if let marker { query.append(("part-number-marker", marker)) }
    let request = S3Request(
      method: "GET", key: upload.object.key, query: query,
      headers: ExtraHeaders(session.settings.headers).withData, attempt: attempt)
    let response = try session.send(request, stop: stop)
    let answer = try XMLElement.expect("ListPartsResult", response, attempt)
    var parts: [PartReceipt] = []
    for element in answer.all("Part") {
      guard let part = PartReceipt(element) else { throw .unclear(attempt) }
      parts.append(part)
    }
    guard answer.text("IsTruncated") == "true" else { return PartPage(parts: parts) }
    guard let next = answer.text("NextPartNumberMarker") else { throw .unclear(attempt) }
    return PartPage(parts: parts, next: next)
  }
}

extension PartReceipt {
  // A part of a listing; nil where it says nonsense.
  init?(_ element: XMLElement) {
    guard let number = element.text("PartNumber").flatMap({ Int($0) }),
      (1...10_000).contains(number),
      let size = element.text("Size").flatMap({ UInt64($0) }),
      let etag = element.text("ETag")
    else { return nil }
    let sha256 = element.text("ChecksumSHA256").flatMap { Base64.decode($0, padded: true) }
    self.init(
      number: number, size: size, etag: etag, sha256: sha256?.count == 32 ? sha256 : nil)
  }
}
