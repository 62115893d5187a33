import Synchronization
import VaultFault
import VaultStore

/// A store of the tests: keeps everything in memory and fails as a script says.
final class MemoryStore: Store {
  enum Call: String, Sendable {
    case putWhole, begin, putPart, commit, abort, prove, listParts, openUploads
  }

  /// What happens to one call: it fails before its effect, or its effect is there and the answer lost.
  struct Mishap: Sendable {
    var call: Call
    var fault: StoreFault
    var afterEffect = false
    var count = 1
    var part: Int?
  }

  struct Object: Sendable {
    var bytes: [UInt8]
    var token: String
    var item: String
  }

  struct State: Sendable {
    var objects: [ObjectName: Object] = [:]
    var uploads: [UploadName: [Int: [UInt8]]] = [:]
    var mishaps: [Mishap] = []
    var calls: [Call] = []
    /// The digest that each part of an upload has come with.
    var digests: [Int: [UInt8]?] = [:]
    var next = 0
  }

  let state = Mutex(State())
  /// Its answer to a put has the SHA-256 of the bytes.
  let repeatsDigest: Bool
  let needsPartDigests: Bool
  /// Runs in each call before its effect, outside the lock.
  let before: @Sendable (Call, StopFlag) -> Void

  init(
    _ mishaps: [Mishap] = [], repeatsDigest: Bool = false, needsPartDigests: Bool = true,
    before: @escaping @Sendable (Call, StopFlag) -> Void = { _, _ in }
  ) {
    self.repeatsDigest = repeatsDigest
    self.needsPartDigests = needsPartDigests
    self.before = before
    state.withLock { $0.mishaps = mishaps }
  }

  var objects: [ObjectName: Object] { state.withLock { $0.objects } }
  var openUploads: Int { state.withLock { $0.uploads.count } }
  func count(_ call: Call) -> Int { state.withLock { $0.calls.count { $0 == call } } }

  func putWhole(
    _ part: PartData, at name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> CommitAnswer {
    let bytes = try permanently { () throws(Fault) in try part.array() }
    return try run(.putWhole, stop) { state throws(StoreFault) in
      if state.objects[name] != nil, !hints.overwrite { return .exists }
      state.objects[name] = Object(bytes: bytes, token: hints.token, item: hints.item)
      var landed = Landed(etag: "\"1\"")
      landed.repeatsDigest = repeatsDigest
      return .stored(landed, hints.overwrite ? nil : .conditional)
    }
  }

  func begin(
    at name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> UploadName {
    try run(.begin, stop) { state throws(StoreFault) in
      state.next += 1
      let upload = UploadName(object: name, id: "u\(state.next)")
      state.uploads[upload] = [:]
      return upload
    }
  }

  func putPart(
    _ part: PartData, of upload: UploadName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> PartReceipt {
    let bytes = try permanently { () throws(Fault) in try part.array() }
    return try run(.putPart, stop, part: part.number) { state throws(StoreFault) in
      guard state.uploads[upload] != nil else { throw MemoryStore.gone }
      state.uploads[upload]?[part.number] = bytes
      state.digests.updateValue(part.sha256, forKey: part.number)
      return PartReceipt(
        number: part.number, size: part.size, etag: "\"p\(part.number)\"", sha256: part.sha256)
    }
  }

  func commit(
    _ upload: UploadName, _ parts: [PartReceipt], _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> CommitAnswer {
    try run(.commit, stop) { state throws(StoreFault) in
      guard let held = state.uploads[upload] else {
        throw StoreFault(MemoryStore.gone.fault, mayHaveHappened: true)
      }
      if state.objects[upload.object] != nil, !hints.overwrite { return .exists }
      guard parts.map(\.number) == Array(1...max(1, parts.count)) else {
        throw StoreFault(Fault(.remoteRefused, "parts out of order"))
      }
      let bytes = parts.flatMap { held[$0.number] ?? [] }
      state.uploads[upload] = nil
      state.objects[upload.object] = Object(bytes: bytes, token: hints.token, item: hints.item)
      return .stored(Landed(etag: "\"x-\(parts.count)\""), hints.overwrite ? nil : .conditional)
    }
  }

  func abort(_ upload: UploadName, stop: StopFlag) throws(StoreFault) {
    try run(.abort, stop) { state throws(StoreFault) in state.uploads[upload] = nil }
  }

  func prove(
    _ name: ObjectName, _ hints: ObjectHints, size: UInt64, stop: StopFlag
  ) throws(StoreFault) -> Proof {
    try run(.prove, stop) { state throws(StoreFault) in
      guard let object = state.objects[name] else { return .absent }
      let isOurs = object.token == hints.token && UInt64(object.bytes.count) == size
      return isOurs ? .ours(Landed(etag: "\"h\"")) : .other
    }
  }

  func listParts(_ upload: UploadName, stop: StopFlag) throws(StoreFault) -> [PartReceipt] {
    try run(.listParts, stop) { state throws(StoreFault) in
      guard let held = state.uploads[upload] else { throw MemoryStore.gone }
      return held.keys.sorted().map { number in
        let size = UInt64(held[number]?.count ?? 0)
        return PartReceipt(number: number, size: size, etag: "\"p\(number)\"", sha256: nil)
      }
    }
  }

  func openUploads(
    of name: ObjectName, _ hints: ObjectHints, stop: StopFlag
  ) throws(StoreFault) -> [UploadName] {
    try run(.openUploads, stop) { state throws(StoreFault) in
      state.uploads.keys.filter { $0.object == name }
    }
  }

  static let gone = StoreFault(Fault(.missingObject, "no such upload"))

  private func run<Value: Sendable>(
    _ call: Call, _ stop: StopFlag, part: Int? = nil,
    _ effect: (inout State) throws(StoreFault) -> Value
  ) throws(StoreFault) -> Value {
    before(call, stop)
    if stop.isRaised { throw StoreFault.stopped }
    let result = state.withLock { state -> Result<Value, StoreFault> in
      state.calls.append(call)
      let mishap = state.mishap(call, part)
      if let mishap, !mishap.afterEffect { return .failure(mishap.fault) }
      do throws(StoreFault) {
        let value = try effect(&state)
        if let mishap { return .failure(mishap.fault) }
        return .success(value)
      } catch { return .failure(error) }
    }
    return try result.get()
  }
}

extension MemoryStore.State {
  mutating func mishap(_ call: MemoryStore.Call, _ part: Int?) -> MemoryStore.Mishap? {
    let place = mishaps.firstIndex {
      $0.call == call && $0.count > 0 && ($0.part == nil || $0.part == part)
    }
    guard let place else { return nil }
    mishaps[place].count -= 1
    return mishaps[place]
  }
}

extension PartData {
  /// All bytes: for parts of tests.
  func array() throws(Fault) -> [UInt8] {
    var out: [UInt8] = []
    try forEachPiece { span, _ in for index in 0..<span.count { out.append(span[index]) } }
    return out
  }
}

extension StoreFault {
  static let flaky = StoreFault(
    Fault(.remoteFailed, "503 SlowDown"), .transient(retryAfterSeconds: nil))
  static let lost = StoreFault(
    Fault(.remoteTimeout, "connection reset"), .transient(retryAfterSeconds: nil),
    mayHaveHappened: true)
  static let refused = StoreFault(Fault(.remoteRefused, "400 InvalidArgument"))
}
