import Synchronization
import Testing
import VaultFault
import VaultIO

@testable import VaultStore

/// A directory of the tests, removed with all that is in it.
final class TestDirectory: Sendable {
  let path: String
  private let next = Atomic<Int>(0)

  init() throws {
    let bytes = try Entropy.bytes(8)
    path = "/tmp/vault-tests-" + bytes.map { String($0, radix: 16) }.joined()
    try Directory.make(Path(path))
  }

  deinit { remove(path) }

  func fresh() -> ObjectName {
    let number = next.wrappingAdd(1, ordering: .relaxed).newValue
    let file = "\(path)/d\(number)/object"
    return ObjectName(key: file, shown: file)
  }

  func contents(_ name: ObjectName) throws -> [UInt8]? {
    guard File.kind(Path(name.key)) != nil else { return nil }
    return try File.read(Path(name.key), limit: 1 << 30)
  }
}

@Test func aMemoryStoreKeepsTheContract() throws {
  let store = MemoryStore()
  let next = Mutex(0)
  try Conformance(store, partSize: 1000) {
    let number = next.withLock { number in
      number += 1
      return number
    }
    return ObjectName(key: "k\(number)", shown: "mem:k\(number)")
  } contents: { name in
    store.objects[name]?.bytes
  }.check()
}

@Test(arguments: [
  AtomicFile.Way.allCases, [.moved], [.linked], [.moved, .linked],
])
func aDirectoryKeepsTheContract(_ ways: [AtomicFile.Way]) throws {
  let directory = try TestDirectory()
  try Conformance(DirectoryStore(ways: ways), partSize: 1000) {
    directory.fresh()
  } contents: {
    try directory.contents($0)
  }.check()
  #expect(hiddenFiles(under: directory.path).isEmpty)
}

@Test func retriesKeepTheContract() throws {
  let directory = try TestDirectory()
  let store = Retry(DirectoryStore(), FakeTime().policy)
  try Conformance(store, partSize: 1000) {
    directory.fresh()
  } contents: {
    try directory.contents($0)
  }.check()
}

@Test func aHiddenFileThatACrashLeftIsAbortedByItsName() throws {
  let directory = try TestDirectory()
  let name = directory.fresh()
  let first = DirectoryStore(ways: [.linked])
  let hints = ObjectHints(item: "i", token: "t")
  let upload = try first.begin(at: name, hints, stop: StopFlag())
  #expect(hiddenFiles(under: directory.path).count == 1)
  try DirectoryStore().abort(upload, stop: StopFlag())
  #expect(hiddenFiles(under: directory.path).isEmpty)
}

@Test func abortRemovesNothingButHiddenFilesOfItsDirectory() throws {
  let directory = try TestDirectory()
  let name = directory.fresh()
  try Directory.make(Path(name.key).parent)
  let other = name.key + "x"
  _ = try File.openForAppending(Path(other))
  for id in [other, "/etc/hostname", "", ".", "\(directory.path)/.vault-tmp-0123456789abcdef"] {
    try DirectoryStore().abort(UploadName(object: name, id: id), stop: StopFlag())
  }
  #expect(File.kind(Path(other)) == .regular)
}
