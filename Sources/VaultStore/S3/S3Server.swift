/// What kind of server answers, so far as it matters for what a receipt may claim.
///
/// `If-None-Match: *` is always sent. Whether the server heeds it cannot be seen from a success, so
/// a receipt says `conditional` only for servers that are known to; before any other commit we look
/// ourselves, and the receipt says `checked`.
enum S3Server: Sendable {
  case unknown, amazon, seaweedFS, ceph, other

  /// Reads it from an answer's headers.
  init(_ headers: HttpHeaders) {
    let name = asciiLowercased(headers["server"] ?? "")
    // Ceph's gateway names itself nowhere but in its transaction ids.
    let request = headers["x-amz-request-id"] ?? ""
    if name.hasPrefix("seaweedfs") {
      self = .seaweedFS
    } else if request.hasPrefix("tx0"), request.contains("-") {
      self = .ceph
    } else {
      self = .other
    }
  }

  /// A PUT under a taken name is refused in the same step.
  var refusesPut: Bool { self == .amazon || self == .seaweedFS || self == .ceph }

  /// So is the completion of a multipart upload (Ceph 16 overwrites).
  var refusesComplete: Bool { self == .amazon || self == .seaweedFS }
}
