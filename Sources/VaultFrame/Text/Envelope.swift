public import VaultFault
internal import VaultText

/// What pins a sealed body: its salt and its commitment, the head of the body (FORMAT 7).
public struct BodyID: Equatable, Hashable, Sendable {
  /// 24 random bytes.
  public let salt: [UInt8]
  /// 32 bytes that commit to key, salt and context.
  public let commitment: [UInt8]

  /// Takes the two parts; nil when their lengths are others.
  public init?(salt: [UInt8], commitment: [UInt8]) {
    guard salt.count == 24, commitment.count == 32 else { return nil }
    self.salt = salt
    self.commitment = commitment
  }

  /// Takes the 56 bytes of the head of a body.
  public init?(head: [UInt8]) {
    guard head.count == BodyLayout.headBytes else { return nil }
    self.init(salt: Array(head[..<24]), commitment: Array(head[24...]))
  }

  /// The 56 bytes of the head.
  public var head: [UInt8] { salt + commitment }

  /// The two fields of a `body` line, one space between: the form that receipts use too.
  public var text: String { Base64.encode(salt) + " " + Base64.encode(commitment) }

  /// Reads that form.
  public init?(text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
      .map { Base64.decode(String($0)) ?? [] }
    guard parts.count == 2 else { return nil }
    self.init(salt: parts[0], commitment: parts[1])
  }

  init?(lines: inout TextLines) {
    guard let parts = lines.takeBase64("body", counts: [24, 32]) else { return nil }
    self.init(salt: parts[0], commitment: parts[1])
  }

  func write(to writer: inout TextWriter) {
    writer.line("body", Base64.encode(salt), Base64.encode(commitment))
  }
}

/// One way to the data key (FORMAT 8). Unknown kinds are kept.
public struct Slot: Equatable, Sendable {
  /// `x25519`, `key`, `space`, `derived`, or a kind of a later version.
  public let kind: String
  /// The fields after the kind, as they are written.
  public let fields: [String]

  /// A slot of a known kind: the id is 8 bytes, the values stand in the order of the format.
  public init(kind: String, id: [UInt8], values: [[UInt8]]) {
    self.kind = kind
    fields = [hex(id)] + values.map { Base64.encode($0) }
  }

  /// The id of a slot of a known kind.
  public var id: [UInt8] { fields.first.flatMap(bytes(hex:)) ?? [] }

  /// The values of a slot of a known kind.
  public var values: [[UInt8]] { fields.dropFirst().map { Base64.decode($0) ?? [] } }

  /// The lengths of the values of each known kind.
  private static let shapes = [
    "x25519": [32, 48], "key": [32, 48], "space": [32, 48], "derived": [32],
  ]

  /// Reads the fields after the word `slot`; nil when a known kind has another shape.
  init?(fields line: [String]) {
    guard let kind = line.first, line.allSatisfy({ TextField.unescape($0) != nil }) else {
      return nil
    }
    self.kind = kind
    fields = Array(line.dropFirst())
    guard let shape = Slot.shapes[kind] else { return }
    guard id.count == 8, values.map(\.count) == shape else { return nil }
  }

  /// True for the kinds of this version.
  public var isKnown: Bool { Slot.shapes[kind] != nil }
}

/// The structure of an envelope; what needs a key is checked in VaultSeal (FORMAT 8).
public struct Envelope: Equatable, Sendable {
  /// The most slots that an envelope may have.
  public static let maxSlots = 64

  /// The item; it goes into every key and context.
  public let item: ItemID
  /// The head of the body that this envelope belongs to.
  public let body: BodyID
  /// The slots, in order; empty when detached.
  public let slots: [Slot]
  /// The first 16 bytes of the SHA-256 of ``checked``.
  public let check: [UInt8]
  /// The MAC over ``authenticated``.
  public let mac: [UInt8]
  /// The whole text.
  public let payload: [UInt8]

  private static let header = "vault-envelope/1"

  /// True when the slots live elsewhere.
  public var isDetached: Bool { slots.isEmpty }
  /// The bytes that `check` covers: all lines before its own.
  public var checked: [UInt8] { Array(payload.dropLast(Envelope.checkLine + Envelope.macLine)) }
  /// The bytes that the MAC covers: all lines before its own.
  public var authenticated: [UInt8] { Array(payload.dropLast(Envelope.macLine)) }

  // The last two lines have fixed lengths: a name, a space, base64 of 16 or 32 bytes, LF.
  private static let checkLine = 6 + 22 + 1
  private static let macLine = 4 + 43 + 1

  /// Puts an envelope together, for one who makes it: check and MAC are over what is before them, which
  /// the two closures see.
  public init(
    item: ItemID, body: BodyID, slots: [Slot], check: ([UInt8]) throws(Fault) -> [UInt8],
    mac: ([UInt8]) throws(Fault) -> [UInt8]
  ) throws(Fault) {
    var text = Array(Envelope.unchecked(item: item, body: body, slots: slots).utf8)
    let check = try check(text)
    text += Envelope.line("check", check)
    let mac = try mac(text)
    (self.item, self.body, self.slots) = (item, body, slots)
    (self.check, self.mac) = (check, mac)
    payload = text + Envelope.line("mac", mac)
  }

  private static func line(_ name: String, _ value: [UInt8]) -> [UInt8] {
    Array("\(name) \(Base64.encode(value))\n".utf8)
  }

  /// The lines before `check`, for one who makes an envelope.
  public static func unchecked(item: ItemID, body: BodyID, slots: [Slot]) -> String {
    var writer = TextWriter(header: header)
    writer.line("item", item.text)
    body.write(to: &writer)
    for slot in slots { writer.line(fields: ["slot", slot.kind] + slot.fields) }
    if slots.isEmpty { writer.line("detached") }
    return writer.text
  }

  /// Reads an envelope's text; throws `envelope-malformed`.
  public init(parsing bytes: Span<UInt8>) throws(Fault) {
    guard bytes.count <= FrameType.envelope.limit else {
      throw Fault(.envelopeMalformed, "the envelope has more than 16 KiB")
    }
    var lines = try TextLines(bytes, header: Envelope.header, fault: .envelopeMalformed)
    guard let item = lines.takeItem("item"), let body = BodyID(lines: &lines) else {
      throw lines.malformed("the envelope")
    }
    (self.item, self.body) = (item, body)
    slots = try Envelope.slots(&lines)
    let isDetached = lines.take("detached") == []
    guard isDetached == slots.isEmpty, let check = lines.takeBase64("check", counts: [16]),
      let mac = lines.takeBase64("mac", counts: [32])
    else { throw lines.malformed("the envelope") }
    (self.check, self.mac) = (check[0], mac[0])
    payload = bytes.copied()
    let rewritten =
      Envelope.unchecked(item: item, body: body, slots: slots)
      + "check \(Base64.encode(check[0]))\nmac \(Base64.encode(mac[0]))\n"
    try lines.finish("the envelope", rewritten: rewritten)
  }

  private static func slots(_ lines: inout TextLines) throws(Fault) -> [Slot] {
    let found = lines.takeAll("slot")
    let slots = found.compactMap(Slot.init(fields:))
    guard slots.count == found.count, slots.count <= maxSlots,
      slots.count(where: { $0.kind == "derived" }) <= 1
    else { throw lines.malformed("a slot of the envelope") }
    return slots
  }
}
