internal import VaultIO

/// What a store says of the object under a name, before it is removed.
public struct ObjectFacts: Equatable, Sendable {
  /// Bytes.
  public var size: UInt64?
  /// The tag, opaque, as received; files have none.
  public var etag: String?
  /// The version, in a bucket with versions.
  public var versionID: String?
  /// The item that it says it is, where it is an object of ours.
  public var item: String?
  /// Which file it is, in a store of files.
  var file: FileIdentity?

  /// The version, where naming it removes exactly that one: `null` is what a bucket without
  /// versions calls the only one.
  var exactVersion: String? { versionID.flatMap { $0.isEmpty || $0 == "null" ? nil : $0 } }
}

/// How a removal ended.
public enum Removal: Equatable, Sendable {
  /// The object that was looked at is gone.
  case removed
  /// There was nothing under the name.
  case absent
  /// Another object is there now; it was left.
  case changed
}

/// A place that objects can be removed from: what `vault-drop` needs of a store.
///
/// As with ``Store``: calls block, are safe from any thread, are never tried again by the store, and
/// throw what leaves room for doubt.
public protocol Remover: Sendable {
  /// What lies under the name; nil: nothing. A refusal to look is thrown.
  func facts(of name: ObjectName, stop: StopFlag) throws(StoreFault) -> ObjectFacts?

  /// Removes the object if it is still the one that `facts` were taken of, in one step as far as
  /// ``heedsConditions(near:stop:)`` is true.
  func remove(
    _ name: ObjectName, _ facts: ObjectFacts, stop: StopFlag
  ) throws(StoreFault) -> Removal

  /// Whether a removal with a condition leaves an object that does not meet it: tried on an object of
  /// our own beside `name`, which is gone afterwards.
  func heedsConditions(near name: ObjectName, stop: StopFlag) throws(StoreFault) -> Bool
}
