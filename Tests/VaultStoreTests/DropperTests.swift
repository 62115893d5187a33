import Synchronization
import Testing
import VaultFault
import VaultRecord

@testable import VaultStore

/// A store in memory that can fail, ignore conditions, or lose an answer.
private final class Shelf: Remover {
  let objects = Mutex<[String: ObjectFacts]>([:])
  let heeds: Bool
  let failure: Mutex<StoreFault?>
  let probes = Mutex(0)

  init(_ objects: [String: ObjectFacts], heeds: Bool = true, failing failure: StoreFault? = nil) {
    self.objects.withLock { $0 = objects }
    self.heeds = heeds
    self.failure = Mutex(failure)
  }

  func facts(of name: ObjectName, stop: StopFlag) throws(StoreFault) -> ObjectFacts? {
    objects.withLock { $0[name.key] }
  }

  func remove(
    _ name: ObjectName, _ facts: ObjectFacts, stop: StopFlag
  ) throws(StoreFault) -> Removal {
    if let failure = failure.withLock({ $0.take() }) {
      if failure.mayHaveHappened { objects.withLock { $0[name.key] = nil } }
      throw failure
    }
    return objects.withLock { objects in
      guard let found = objects[name.key] else { return .absent }
      guard found == facts else { return .changed }
      objects[name.key] = nil
      return .removed
    }
  }

  func heedsConditions(near name: ObjectName, stop: StopFlag) throws(StoreFault) -> Bool {
    probes.withLock { $0 += 1 }
    return heeds
  }

  var names: Set<String> { objects.withLock { Set($0.keys) } }
}

private let item = "00000000-0000-4000-8000-000000000001"
private let original = ObjectFacts(size: 4, etag: "\"a\"")
private let sealed = ObjectFacts(size: 500, etag: "\"b\"", item: item)
private let row = """
  {"item":"\(item)","source":"old","source_etag":"a","source_bytes":4,"object":"new",\
  "object_bytes":500,"etag":"\\"b\\""}
  """

private func answer(
  _ shelf: Shelf, to line: String = row, removes: Bool = true, acceptsRace: Bool = false
) throws -> DropAnswer {
  var settings = Dropper.Settings()
  settings.removes = removes
  settings.acceptsRace = acceptsRace
  settings.policy = RetryPolicy(random: { 0 }, now: { 0 }, pause: { _, _ in })
  let dropper = Dropper(settings, stop: StopFlag()) { address throws(Fault) in
    (shelf, ObjectName(key: address, shown: address), "shelf")
  }
  var rows: UInt64?
  let parsed = try DropRow.read(Array(line.utf8), rows: &rows)
  return dropper.answer(try #require(parsed)).0
}

@Suite struct DropperTests {
  @Test func whatIsProvenGoes() throws {
    let shelf = Shelf(["old": original, "new": sealed])
    #expect(try answer(shelf).status == .dropped)
    #expect(shelf.names == ["new"])
  }

  @Test func withoutYesNothingGoesAndNothingIsProbed() throws {
    let shelf = Shelf(["old": original, "new": sealed])
    #expect(try answer(shelf, removes: false).status == .wouldDrop)
    #expect(shelf.names == ["old", "new"])
    #expect(shelf.probes.withLock { $0 } == 0)
  }

  @Test(arguments: [
    ("object-gone", nil, original),
    ("object-changed", ObjectFacts(size: 501, etag: "\"b\"", item: item), original),
    ("object-changed", ObjectFacts(size: 500, etag: "\"c\"", item: item), original),
    ("object-changed", ObjectFacts(size: 500, etag: "\"b\"", item: nil), original),
    ("source-changed", sealed, ObjectFacts(size: 4, etag: "\"z\"")),
    ("source-changed", sealed, ObjectFacts(size: 5, etag: "\"a\"")),
    ("source-changed", sealed, ObjectFacts(size: 4)),
  ])
  func whatDoesNotHoldStays(_ reason: String, _ new: ObjectFacts?, _ old: ObjectFacts) throws {
    let shelf = Shelf(["old": old])
    shelf.objects.withLock { $0["new"] = new }
    let found = try answer(shelf)
    #expect(found.status == .kept)
    #expect(found.reason == reason)
    #expect(shelf.names.contains("old"))
  }

  @Test(arguments: ["\"source_etag\":\"a\",", "\"object_bytes\":500,", "\"item\":\"\(item)\","])
  func aRowThatDoesNotSayEnoughRemovesNothing(_ member: String) throws {
    let shelf = Shelf(["old": original, "new": sealed])
    let without = row.split(separator: member, maxSplits: 1).joined()
    #expect(without != row)
    #expect(try answer(shelf, to: without).status == .kept)
    #expect(shelf.names == ["old", "new"])
  }

  @Test func aStoreThatIgnoresConditionsIsRefusedUnlessAccepted() throws {
    let shelf = Shelf(["old": original, "new": sealed], heeds: false)
    #expect(try answer(shelf).reason == "condition-ignored")
    #expect(shelf.names == ["old", "new"])
    #expect(try answer(shelf, acceptsRace: true).status == .dropped)
  }

  @Test func aVersionNeedsNoCondition() throws {
    var version = original
    version.versionID = "v1"
    let shelf = Shelf(["old": version, "new": sealed], heeds: false)
    #expect(try answer(shelf).status == .dropped)
    #expect(shelf.probes.withLock { $0 } == 0)
  }

  @Test func nothingThereIsGone() throws {
    #expect(try answer(Shelf(["new": sealed])).status == .gone)
  }

  @Test func aLostAnswerIsSettledByAskingAgain() throws {
    let fault = Fault(.remoteFailed, "reset")
    let lost = StoreFault(fault, .transient(retryAfterSeconds: nil), mayHaveHappened: true)
    #expect(try answer(Shelf(["old": original, "new": sealed], failing: lost)).status == .gone)
    let unsent = StoreFault(fault, .transient(retryAfterSeconds: nil))
    let shelf = Shelf(["old": original, "new": sealed], failing: unsent)
    #expect(try answer(shelf).status == .dropped)
  }

  @Test func whatCannotBeToldIsUnknown() throws {
    let lost = StoreFault(Fault(.remoteFailed, "reset"), .permanent, mayHaveHappened: true)
    #expect(try answer(Shelf(["old": original, "new": sealed], failing: lost)).status == .unknown)
  }

  @Test func anObjectOfOursIsRemovedOnlyAsTheItemThatItSaysItIs() throws {
    let own = "{\"source\":\"new\",\"item\":\"\(item)\"}"
    #expect(try answer(Shelf(["new": sealed]), to: own).status == .dropped)
    #expect(try answer(Shelf(["new": original]), to: own).reason == "source-changed")
    let bare = "{\"source\":\"old\"}"
    #expect(try answer(Shelf(["old": original]), to: bare).status == .kept)
    let same = row.replacing("\"object\":\"new\"", with: "\"object\":\"old\"")
    #expect(try answer(Shelf(["old": original]), to: same).status == .kept)
  }
}
