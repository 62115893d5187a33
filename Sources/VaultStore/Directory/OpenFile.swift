internal import Synchronization
internal import VaultFault
internal import VaultFrame
internal import VaultIO

/// A file of the directory store that has no visible name yet.
///
/// Several threads may write to it; one at a time does, as the kernel would have it anyway.
final class OpenFile: Sendable {
  private let file: Mutex<AtomicFile?>
  let hiddenPath: String?

  init(
    _ path: Path, mode: AtomicFile.Mode, ways: [AtomicFile.Way], token: String
  ) throws(Fault) {
    let made = try AtomicFile(
      path, mode: mode, permissions: 0o666, ways: ways,
      hiddenName: AtomicFile.hiddenName(token: token))
    hiddenPath = made.hiddenName.map { name in
      String(decoding: made.directory.path.bytes + [UInt8(ascii: "/")] + name, as: UTF8.self)
    }
    file = Mutex(consume made)
  }

  // Locked once for a part: who waits for the lock is at work all the time at first.
  func write(_ part: PartData, stop: StopFlag) throws(Fault) {
    try file.withLock { (file) throws(Fault) in
      guard file != nil else { throw OpenFile.gone }
      try part.forEachPiece { (bytes, at) throws(Fault) in
        if stop.isRaised { throw StoreFault.stopped.fault }
        try file?.descriptor.pwriteAll(bytes, at: part.offset + at)
      }
    }
  }

  // The disk can work while the next parts are hashed and sealed.
  func beginSync(from offset: UInt64, count: UInt64) {
    file.withLock { $0?.descriptor.beginSync(from: offset, count: count) }
  }

  var size: UInt64? { file.withLock { $0?.descriptor.size } }

  var identity: FileIdentity? { file.withLock { $0?.descriptor.identity } }

  // Gives the file its name; it is not open afterwards, also when this fails.
  func commit() throws(Fault) {
    try file.withLock { (file) throws(Fault) in
      guard let whole = file.take() else { throw OpenFile.gone }
      try whole.commit()
    }
  }

  func abandon() { file.withLock { $0 = nil } }

  private static var gone: Fault { Fault(.internalFault, "the file is not open any more") }
}

extension Descriptor {
  // Whether this is an object of that item, as far as its envelope says.
  func hasItem(_ item: String) throws(Fault) -> Bool {
    try self.item().map { $0.utf8.elementsEqual(item.utf8) } ?? false
  }

  // The item that the envelope at its beginning names; nil: it is no sealed object.
  func item() throws(Fault) -> String? {
    let head = Prologue.length + FrameHeader.length
    var bytes = [UInt8](repeating: 0, count: head + FrameType.envelope.limit)
    var filled = 0
    while filled < bytes.count {
      let count = try pread(into: &bytes, from: filled, at: UInt64(filled))
      if count == 0 { break }
      filled += count
    }
    guard filled > head, Array(bytes[..<Prologue.length]) == Prologue.bytes(.sealed) else {
      return nil
    }
    let length = Int(bytes.span.bigEndian(at: Prologue.length + 4, bytes: 4))
    guard head + length <= filled,
      let envelope = try? Envelope(parsing: bytes.span.extracting(head..<head + length))
    else { return nil }
    return envelope.item.text
  }
}
