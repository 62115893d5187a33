internal import Synchronization
internal import VaultFault
internal import VaultRecord

// A JSON answer that stands for what another URL gives: `{"downloadUrl": "https://…"}`.
extension URLSource {
  func mayBeLink(_ response: HttpResponse, _ address: Address) -> Bool {
    guard followsLinks, !address.isLinked, isWhole(response) else { return false }
    let type = asciiLowercased(response.headers["content-type"] ?? "")
    let isSmall = (response.contentLength ?? 0) <= UInt64(HttpClient.keptLimit)
    return isSmall && (type == "application/json" || type.hasPrefix("application/json;"))
  }

  // The first request asks for a range, which a server may grant for a link, too.
  private func isWhole(_ response: HttpResponse) -> Bool {
    if response.status == 200 { return true }
    guard response.status == 206, let head = HttpReading.partial(response) else { return false }
    return head.offset == 0 && head.count == head.size
  }

  // Takes the link in an answer, if there is one. The token is for the first server only.
  func follow(_ text: [UInt8]) throws(HttpFailure) -> Bool {
    guard let link = try? JSONReader.read(text)["downloadUrl"]?.string else { return false }
    do throws(Fault) { _ = try Self.checkedHost(link) } catch {
      throw HttpFailure(kind: .remoteRefused, reason: "the downloadUrl is not a good URL")
    }
    address.withLock { $0 = Address(url: link, bearer: nil, isLinked: true) }
    return true
  }
}
