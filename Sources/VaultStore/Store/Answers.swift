public import VaultFault

/// What is known of an object that was stored.
public struct Landed: Equatable, Sendable {
  /// The object's tag, opaque, as received.
  public let etag: String?
  /// The version that was made, in a bucket with versions.
  public let versionID: String?
  /// The answer has the SHA-256 of exactly our bytes: who gave it has read them all.
  public var repeatsDigest = false

  /// Takes what the remote said.
  public init(etag: String? = nil, versionID: String? = nil) {
    self.etag = etag
    self.versionID = versionID
  }
}

/// What counts as the proof that an object is there.
public enum ProofChoice: String, CaseIterable, Sendable {
  /// A look at it, after it was stored.
  case head
  /// An answer of success that repeats its SHA-256 as the store has counted it; a look where it does
  /// not.
  case response
}

/// How "not overwriting" was kept.
public enum Creation: String, Sendable {
  /// The store itself refuses in the same step (If-None-Match, link).
  case conditional
  /// We looked just before: the store has no conditional commit.
  case checked
}

/// The end of a put. An answer that leaves room for doubt is a case of its own.
public enum CommitAnswer: Sendable {
  /// The remote said clearly that it is there; nil creation when overwriting was allowed.
  case stored(Landed, Creation?)
  /// The name is taken, and the answer proves nothing about by whom: ``Retry`` asks `prove`.
  case exists
  /// It may be there for good or not, and that could not be settled.
  case unknown(Fault)
}

/// What lies under a name.
public enum Proof: Sendable {
  /// Our token and our size.
  case ours(Landed)
  /// Another object, or another attempt's.
  case other
  /// Nothing.
  case absent
  /// The remote does not let us look; with its reason.
  case cannotTell(Fault)
}
