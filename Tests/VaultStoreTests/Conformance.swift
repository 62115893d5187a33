import Testing
import VaultDigest
import VaultFault
import VaultStore

/// What every store keeps (see the contract): a new store inherits it by one call.
struct Conformance {
  /// The store.
  let store: any Store
  /// A fresh name that nothing has.
  let freshName: () -> ObjectName
  /// What lies under a name, nil when nothing does.
  let contents: (ObjectName) throws -> [UInt8]?
  /// The smallest part that is not the last.
  let partSize: Int

  func check() throws {
    try anObjectOfOnePartIsStoredWhole()
    try partsMayComeInAnyOrder()
    try aTakenNameIsLeftAsItIs()
    try overwritingIsAllowedWhenAsked()
    try nothingIsVisibleBeforeCommit()
    try abortLeavesNothingAndMayComeAgain()
    try onlyOurOwnObjectIsProven()
    try aRaisedFlagStopsACall()
    try awkwardNamesAreKeptByteForByte()
  }

  private let stop = StopFlag()

  init(
    _ store: any Store, partSize: Int, freshName: @escaping () -> ObjectName,
    contents: @escaping (ObjectName) throws -> [UInt8]?
  ) {
    self.store = store
    self.partSize = partSize
    self.freshName = freshName
    self.contents = contents
  }

  private func hints(_ number: Int, overwrite: Bool = false) -> ObjectHints {
    let digits = String(number)
    let pad = String(repeating: "0", count: 32 - digits.count)
    return ObjectHints(
      item: "0f8fad5b-d9cb-469f-a165-70867728950e", token: pad + digits, overwrite: overwrite)
  }

  private func part(_ number: Int, _ count: Int, offset: Int = 0) throws -> PartData {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }
    return PartData(
      number: number, offset: UInt64(offset), bytes: ArrayBytes(bytes),
      sha256: store.needsPartDigests ? try Digest.of(bytes.span, .sha256) : nil)
  }

  private func put(_ name: ObjectName, _ part: PartData, _ hints: ObjectHints) throws -> Bool {
    switch try store.putWhole(part, at: name, hints, stop: stop) {
    case .stored: return true
    case .exists: return false
    case .unknown(let fault): throw fault
    }
  }

  func anObjectOfOnePartIsStoredWhole() throws {
    for size in [1, 1000, 300_000] {
      let name = freshName()
      let part = try part(1, size)
      #expect(try put(name, part, hints(1)))
      #expect(try contents(name) == part.array())
    }
  }

  func partsMayComeInAnyOrder() throws {
    let name = freshName()
    let upload = try store.begin(at: name, hints(2), stop: stop)
    let sizes = [partSize, partSize, 1234]
    var receipts: [PartReceipt] = []
    var bytes: [Int: [UInt8]] = [:]
    for number in [3, 1, 2, 1] {
      let part = try part(number, sizes[number - 1], offset: (number - 1) * partSize)
      bytes[number] = try part.array()
      receipts.removeAll { $0.number == number }
      receipts.append(try store.putPart(part, of: upload, hints(2), stop: stop))
    }
    receipts.sort { $0.number < $1.number }
    guard case .stored = try store.commit(upload, receipts, hints(2), stop: stop) else {
      Issue.record("not stored")
      return
    }
    let whole = (1...3).flatMap { bytes[$0] ?? [] }
    #expect(try contents(name) == whole)
    guard case .ours = try prove(name, 2, whole.count) else {
      Issue.record("not ours")
      return
    }
    try store.abort(upload, stop: stop)
    #expect(try contents(name) == whole)
  }

  private func prove(_ name: ObjectName, _ number: Int, _ size: Int) throws -> Proof {
    try store.prove(name, hints(number), size: UInt64(size), stop: stop)
  }

  func aTakenNameIsLeftAsItIs() throws {
    let name = freshName()
    let first = try part(1, 100)
    #expect(try put(name, first, hints(3)))
    #expect(try !put(name, part(1, 200), hints(4)))
    #expect(try contents(name) == first.array())
    do {
      let upload = try store.begin(at: name, hints(5), stop: stop)
      let receipt = try store.putPart(part(1, 300), of: upload, hints(5), stop: stop)
      guard case .exists = try store.commit(upload, [receipt], hints(5), stop: stop) else {
        Issue.record("a taken name was taken again")
        return
      }
      try store.abort(upload, stop: stop)
    } catch let error as StoreFault where error.fault.kind == .exists {}
    #expect(try contents(name) == first.array())
  }

  func overwritingIsAllowedWhenAsked() throws {
    let name = freshName()
    #expect(try put(name, part(1, 100), hints(6)))
    let second = try part(1, 50)
    #expect(try put(name, second, hints(7, overwrite: true)))
    #expect(try contents(name) == second.array())
  }

  func nothingIsVisibleBeforeCommit() throws {
    let name = freshName()
    let upload = try store.begin(at: name, hints(8), stop: stop)
    _ = try store.putPart(part(1, partSize), of: upload, hints(8), stop: stop)
    #expect(try contents(name) == nil)
    guard case .absent = try prove(name, 8, partSize) else {
      Issue.record("visible before commit")
      return
    }
    try store.abort(upload, stop: stop)
  }

  func abortLeavesNothingAndMayComeAgain() throws {
    let name = freshName()
    let upload = try store.begin(at: name, hints(9), stop: stop)
    let receipt = try store.putPart(part(1, partSize), of: upload, hints(9), stop: stop)
    try store.abort(upload, stop: stop)
    try store.abort(upload, stop: stop)
    #expect(throws: StoreFault.self) {
      try store.putPart(part(2, 10, offset: partSize), of: upload, hints(9), stop: stop)
    }
    #expect(throws: StoreFault.self) {
      try store.commit(upload, [receipt], hints(9), stop: stop)
    }
    #expect(try contents(name) == nil)
  }

  func onlyOurOwnObjectIsProven() throws {
    let name = freshName()
    #expect(try put(name, part(1, 100), hints(10)))
    guard case .ours = try prove(name, 10, 100), case .absent = try prove(freshName(), 10, 100),
      case .other = try prove(name, 10, 101)
    else {
      Issue.record("a wrong proof")
      return
    }
  }

  func aRaisedFlagStopsACall() throws {
    let name = freshName()
    let raised = StopFlag()
    raised.raise()
    #expect {
      try store.putWhole(part(1, 100), at: name, hints(11), stop: raised)
    } throws: {
      ($0 as? StoreFault)?.fault.kind == .cancelled
    }
    #expect(try contents(name) == nil)
  }

  func awkwardNamesAreKeptByteForByte() throws {
    let base = freshName()
    for more in [" a b", "a+b", "a%2Bb", "C++ &<x>\"y'", "é", "e\u{301}", "~*()!", "=;:@,?#"] {
      let name = ObjectName(key: base.key + more, shown: base.shown + more)
      let part = try part(1, more.utf8.count)
      #expect(try put(name, part, hints(12)), "\(more)")
      #expect(try contents(name) == part.array(), "\(more)")
    }
  }
}
