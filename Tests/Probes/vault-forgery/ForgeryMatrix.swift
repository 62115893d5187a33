import SealedObjects
import VaultCrypto
import VaultDigest
import VaultFault
import VaultFrame
import VaultSeal
import VaultText

/// A small object of two frames of chunks with a slot of each kind, and all that a forger can do to it
/// with flips and cuts: nothing but true data may come out, and it must be an error.
struct ForgeryMatrix {
  /// Forgeries tried, and how many of them were taken for good.
  private(set) var count = 0
  private(set) var passed = 0

  private let share: Int
  private let of: Int
  private let openers: [any SlotOpener]
  private let data: [UInt8]
  private let object: [UInt8]
  private let layout: Layout

  init(share: Int, of: Int) throws(Fault) {
    let identity = try Identity()
    let kek = try KeyEncryptionKey(Secret(random: 32))
    // An access key, so that nothing has to be derived for it.
    let space = try UnlockedSpace.create(.accessKey(Secret(random: 32)), rounds: 0)
    let data = someData(64 * 16_384 + 5)
    var sealing = Sealing(data)
    sealing.dataKeys = DerivedDataKeys(space.key)
    let object = try sealing.object([identity.recipient, kek, space.key])
    openers = try ["x25519", "key", "space", "derived"].map { (kind) throws(Fault) in
      let keys: [any SlotOpener] = [identity, kek, space.key]
      return try OneKind(keys, kind)
    }
    (self.share, self.of, self.data, self.object) = (share, of, data, object)
    layout = Layout(object)
  }

  mutating func run() throws(Fault) {
    for opener in openers {
      guard opened(object, try Keyring([opener])) == Outcome(name: "ok", released: data) else {
        throw Fault(.internalFault, "the true object does not open by \(opener.slotKinds)")
      }
    }
    try flipsOutsideTheChunks()
    try flipsUnderTheCheck()
    try flipsInTheChunks()
    if share == 0 { try cuts() }
  }

  private mutating func flipsOutsideTheChunks() throws(Fault) {
    let head = layout["C"][0].payload.lowerBound + BodyLayout.headBytes
    for opener in openers { flips(0..<head, try Keyring([opener])) }
    let all = try Keyring(openers)
    for range in [layout["C"][1].header, layout["M"][0].whole, layout["Z"][0].whole] {
      flips(range, all)
    }
  }

  private mutating func flips(_ range: Range<Int>, _ keys: Keyring) {
    var forged = object
    for bit in range.lowerBound * 8..<range.upperBound * 8 where bit % of == share {
      forged[bit / 8] ^= 1 << UInt8(bit % 8)
      note(opened(forged, keys, piece: 16 << 10).isRefusal(of: data))
      forged[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }

  // Everyone can make a check that fits: so each flip of what it covers is tried with one too.
  private mutating func flipsUnderTheCheck() throws(Fault) {
    let envelope = layout["E"][0].payload
    let covered = envelope.lowerBound..<envelope.upperBound - 48 - 29
    for opener in openers {
      let keys = try Keyring([opener])
      for bit in covered.lowerBound * 8..<covered.upperBound * 8 where bit % of == share {
        var forged = object
        forged[bit / 8] ^= 1 << UInt8(bit % 8)
        let digest = try Digest.of(forged.span.extracting(covered), .sha256)
        let check = Array("check \(Base64.encode(Array(digest[..<16])))\n".utf8)
        forged.replaceSubrange(covered.upperBound..<covered.upperBound + check.count, with: check)
        note(opened(forged, keys, piece: 16 << 10).isRefusal(of: data))
      }
    }
  }

  private mutating func note(_ isRefused: Bool) {
    count += 1
    if !isRefused { passed += 1 }
  }

  // A flip inside a chunk is seen by that chunk alone: so only it is opened, at its place.
  private mutating func flipsInTheChunks() throws(Fault) {
    var message = try chunkOpener()
    for (number, range) in layout.chunks.enumerated() where number % of == share {
      var chunk = Array(object[range])
      var out = [UInt8](repeating: 0, count: chunk.count)
      for bit in 0..<chunk.count * 8 {
        chunk[bit / 8] ^= 1 << UInt8(bit % 8)
        note(Self.refuses(&message, chunk, number, &out))
        chunk[bit / 8] ^= 1 << UInt8(bit % 8)
      }
    }
  }

  private static func refuses(
    _ message: inout CobblestoneOpener, _ chunk: [UInt8], _ number: Int, _ out: inout [UInt8]
  ) -> Bool {
    var offset = 0
    do throws(Fault) {
      try message.open(
        chunk: chunk.span, number: UInt64(number), isLast: chunk.count < 16_400, into: &out,
        at: &offset)
    } catch { return offset == 0 && out[0] == 0 && out[chunk.count / 2] == 0 }
    return false
  }

  private func chunkOpener() throws(Fault) -> CobblestoneOpener {
    let text = Array(object[layout["E"][0].payload])
    let envelope = try Envelope(parsing: text.span)
    let key = try Keyring(openers).dataKey(of: envelope)
    let head = envelope.body.head
    let context = Array("vault/1 body".utf8) + envelope.item.bytes
    return try key.withBytes { (bytes) throws(Fault) in
      try CobblestoneOpener(inputKey: bytes, context: context, head: head.span)
    }
  }

  // One pass for all lengths: at each the reader is asked whether this was all, and says no.
  private mutating func cuts() throws(Fault) {
    var reader = StreamReader(accepting: [.sealed])
    var opener = Opener(try Keyring(openers), expecting: Expectations())
    var released = 0
    var isTrue = true
    for length in object.indices {
      var isRefused = false
      do throws(Fault) { try reader.finish() } catch { isRefused = error.kind == .incomplete }
      note(isRefused && isTrue)
      _ = reader.push(object.span.extracting(length..<length + 1))
      guard case .frame(let header)? = try reader.next() else { continue }
      try opener.frame(header, reader.payload)
      let piece = opener.released.copied()
      isTrue = isTrue && piece == Array(data[released..<released + piece.count])
      released += piece.count
    }
  }
}

/// The one of several keys that opens slots of a kind, and for this kind only: else the first slot of
/// a space would hide its second.
private struct OneKind: SlotOpener {
  let slotKinds: [String]
  private let key: any SlotOpener

  init(_ keys: [any SlotOpener], _ kind: String) throws(Fault) {
    guard let key = keys.first(where: { $0.slotKinds.contains(kind) }) else {
      throw Fault(.internalFault, "no key opens slots of the kind \(kind)")
    }
    self.key = key
    slotKinds = [kind]
  }

  func slotID() throws(Fault) -> [UInt8] { try key.slotID() }

  func dataKey(from slot: Slot, item: ItemID) throws(Fault) -> DataKey {
    try key.dataKey(from: slot, item: item)
  }
}
