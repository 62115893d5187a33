/// A place that keeps objects: what `vault-put` needs of a bucket or a directory, and nothing more.
///
/// The rules that every store keeps, and that the conformance suite of the tests checks:
///
/// - Calls block, and are safe from any thread; parts of one upload may be put at the same time.
/// - No object is visible under its name before ``putWhole(_:at:_:stop:)`` or
///   ``commit(_:_:_:stop:)`` has made it whole. A kill at any moment leaves the old state or the new.
/// - A store never tries anything again and never sleeps; ``Retry`` does, and has this interface too.
///   Every failure says what may be done about it (``StoreFault/remedy``).
/// - Success is answered only for a clear answer of the remote. What may or may not have happened is
///   thrown with ``StoreFault/mayHaveHappened``, and ``prove(_:_:size:stop:)`` settles it; what may
///   even come later, with ``StoreFault/mayStillHappen``.
/// - A raised ``StopFlag`` ends a call within a second with ``VaultFault/FaultKind/cancelled``; one
///   whose answer decides whether something is there, and that was sent whole, within six.
///   Whoever gives up calls ``abort(_:stop:)`` afterwards, with a flag of its own.
/// - Where a store cannot do something by nature it throws ``StoreFault/cannot(_:)``.
public protocol Store: Sendable {
  /// Whether each part comes with the SHA-256 of its own bytes (``PartData/sha256``), which costs a
  /// second pass over all that follows the first part. Without it an upload of an earlier run is not
  /// continued: nobody could tell that its parts have the same bytes.
  var needsPartDigests: Bool { get }

  /// What a name of this store is relative to, where that may be another one at another time: an
  /// endpoint, a working directory. A journal keeps it.
  func home(of name: ObjectName) -> String?

  /// Stores an object that has one part, in one step.
  ///
  /// May be tried again with the same bytes and hints. An object of that name without
  /// ``ObjectHints/overwrite`` answers ``CommitAnswer/exists`` and is left as it is.
  func putWhole(
    _ part: PartData, at name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> CommitAnswer

  /// Opens an upload of several parts.
  ///
  /// May be tried again, at a price: a lost answer leaves an empty upload that nobody knows by id.
  /// A store may look here whether the name is taken, and throw `exists` early.
  func begin(
    at name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> UploadName

  /// Stores one part, in any order and at the same time as others.
  ///
  /// May be tried again with the same bytes: the part is replaced by itself.
  func putPart(
    _ part: PartData, of upload: UploadName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> PartReceipt

  /// Makes the object of the parts, all of them, numbered from 1 without a gap, in this order.
  ///
  /// Counts only with the proof that the remote gives for it. It may be tried again, but after an
  /// unclear answer only when ``prove(_:_:size:stop:)`` says that the object is absent.
  func commit(
    _ upload: UploadName, _ parts: [PartReceipt], _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> CommitAnswer

  /// Takes back an upload: returns when it is known to be gone, with all its parts.
  ///
  /// May be called again, also for an upload that is gone or was committed; never touches an object.
  func abort(_ upload: UploadName, stop: StopFlag) throws(StoreFault)

  /// Looks at what lies under the name: is it the object of this attempt?
  ///
  /// Ours means: it carries the token of the hints and has this size. May be tried again. A refusal
  /// to look (no right to read) is ``Proof/cannotTell(_:)`` and not an error.
  func prove(
    _ name: ObjectName, _ hints: ObjectHints, size: UInt64, stop: StopFlag
  ) throws(StoreFault) -> Proof

  /// The parts that an open upload has, ascending, all pages; to go on after a crash.
  ///
  /// May be tried again. An upload that is gone throws `missing-object`.
  func listParts(_ upload: UploadName, stop: StopFlag) throws(StoreFault) -> [PartReceipt]

  /// What is open of this attempt, for when the answer to ``begin(at:_:stop:)`` was lost.
  ///
  /// Only what belongs to the attempt or to its item beyond doubt; where something is open and that
  /// cannot be told, it throws `remote-unknown`. May be tried again.
  func openUploads(
    of name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> [UploadName]
}

extension Store {
  /// Takes back all that is open of an attempt whose upload is not known by id; says how many.
  func abortLost(
    _ name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> Int {
    let uploads = try openUploads(of: name, hints, stop: stop)
    for upload in uploads { try abort(upload, stop: stop) }
    return uploads.count
  }
}

extension Store {
  /// Names mean the same everywhere.
  public func home(of name: ObjectName) -> String? { nil }
}
