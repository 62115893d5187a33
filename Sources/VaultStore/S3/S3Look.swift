internal import VaultFault

/// What HEAD shows.
enum S3Look: Sendable {
  case there(HttpResponse)
  case absent
  case forbidden(Fault)
}

/// How far it is known that a commit will not replace another object.
enum S3Creation: Equatable, Sendable {
  /// The user allowed it, or we may not look and do not know the server: no claim is made.
  case unclaimed
  /// The server is known to refuse in the same step.
  case enforced
  /// We have looked, and nothing was there.
  case looked
  /// We have looked, and something was.
  case taken

  /// What a receipt says.
  var claim: Creation? {
    switch self {
    case .enforced: .conditional
    case .looked: .checked
    case .unclaimed, .taken: nil
    }
  }
}

extension S3Store {
  /// HEAD.
  func look(
    at name: ObjectName, _ extra: ExtraHeaders, stop: StopFlag
  ) throws(StoreFault) -> S3Look {
    let request = S3Request(
      method: "HEAD", key: name.key, headers: extra.withData,
      attempt: "cannot look at \(quoted(name.shown))")
    do {
      return .there(try session.send(request, stop: stop))
    } catch {
      guard error.remedy == .permanent else { throw error }
      switch error.fault.kind {
      case .missingObject: return .absent
      case .remoteDenied: return .forbidden(error.fault)
      default: throw error
      }
    }
  }

  /// Looks, where the server is not known to refuse by itself.
  func creation(
    _ name: ObjectName, _ hints: ObjectHints, enforced: (S3Server) -> Bool, _ extra: ExtraHeaders,
    _ attempt: String, stop: StopFlag
  ) throws(StoreFault) -> S3Creation {
    if hints.overwrite { return .unclaimed }
    if enforced(session.server) { return .enforced }
    let seen: S3Look
    do { seen = try look(at: name, extra, stop: stop) } catch {
      // Whatever became of the look: what comes after it was not sent.
      throw StoreFault(error.fault, error.remedy)
    }
    switch seen {
    case .there: return .taken
    // The first answer of all may have shown what kind of server it is.
    case .absent: return enforced(session.server) ? .enforced : .looked
    case .forbidden: return enforced(session.server) ? .enforced : .unclaimed
    }
  }
}

extension Landed {
  init(_ response: HttpResponse, etag: String? = nil) {
    self.init(
      etag: etag ?? response.headers["etag"], versionID: response.headers["x-amz-version-id"])
  }
}

extension StoreFault {
  /// An answer of success that does not say what it must: nothing is known.
  static func unclear(_ attempt: String) -> StoreFault {
    StoreFault(
      Fault(.remoteFailed, "\(attempt): the server's answer is not what it must be"),
      .transient(retryAfterSeconds: nil), mayHaveHappened: true, mayStillHappen: true)
  }
}

extension XMLElement {
  /// The root of an answer of success, which must have that name: an error may come with 200.
  static func expect(
    _ name: String, _ response: HttpResponse, _ attempt: String
  ) throws(StoreFault) -> XMLElement {
    guard let root = XMLElement(document: response.body) else { throw .unclear(attempt) }
    if root.name == name { return root }
    guard root.name == "Error" else { throw .unclear(attempt) }
    throw hiddenError(response, attempt)
  }

  /// Throws when an answer of success carries an error; its body may otherwise be anything.
  static func refuseError(_ response: HttpResponse, _ attempt: String) throws(StoreFault) {
    guard !response.body.isEmpty, XMLElement(document: response.body)?.name == "Error" else {
      return
    }
    throw hiddenError(response, attempt)
  }

  private static func hiddenError(_ response: HttpResponse, _ attempt: String) -> StoreFault {
    let error = S3Error(response)
    let fault = Fault(.remoteFailed, "\(attempt): \(error.words)")
    guard case .permanent(let kind) = error.verdict else {
      return StoreFault(fault, .transient(retryAfterSeconds: nil), mayHaveHappened: true)
    }
    return StoreFault(Fault(kind, fault.reason), mayHaveHappened: true)
  }
}
