public import VaultFault

/// An object in a bucket.
public struct S3Source: ObjectSource {
  private let session: S3Session
  private let name: ObjectName

  /// An object of the bucket that `store` talks to, over the same connections.
  public init(_ store: S3Store, _ name: ObjectName) {
    session = store.session
    self.name = name
  }

  /// `s3://bucket/key`
  public var shown: String { quoted(name.shown) }

  /// One GET.
  public func fetch(
    _ wish: ByteWish, pin: String?, stop: StopFlag,
    sink: (ObjectHead, Span<UInt8>) throws(Fault) -> Void
  ) throws(StoreFault) -> ObjectHead {
    let attempt = "cannot read \(shown)"
    var headers = ExtraHeaders(session.settings.headers).withData
    if let range = wish.header { headers.add("Range", range) }
    if let pin { headers.add("If-Match", pin) }
    let request = S3Request(method: "GET", key: name.key, headers: headers, attempt: attempt)
    var reading = HttpReading(wish, pin: pin)
    do throws(StoreFault) {
      let response = try session.stream(request, stop: stop) { head, piece throws(HttpFailure) in
        try reading.take(head, piece, sink)
      }
      do { return try reading.finish(response) } catch { throw error.fault(attempt) }
    } catch {
      throw asReading(error, attempt)
    }
  }
}

// A condition that fails while reading is not a name that is taken.
func asReading(_ error: StoreFault, _ attempt: String) -> StoreFault {
  guard error.fault.kind == .exists else { return error }
  return StoreFault(
    Fault(.objectChanged, "\(attempt): the object is not the same any more"))
}
