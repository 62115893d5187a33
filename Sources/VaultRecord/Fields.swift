internal import VaultFault

// The members of one object, taken by name and type; what nobody took is left in `others`.
// `null` counts as absent: a database writes its NULLs so.
struct Fields {
  let text: [UInt8]
  let kind: FaultKind
  let span: Range<Int>
  private(set) var others: [JSONMember]

  init(_ text: [UInt8], _ kind: FaultKind) throws(Fault) {
    let value: JSONValue
    // A long list is not taken apart only to be refused.
    guard text.first != UInt8(ascii: "[") else { throw Fault(kind, "not a JSON object") }
    // The members, and those of an error in a receipt.
    do { value = try JSONReader.read(text, levels: kind == .badReceipt ? 2 : 1) } catch {
      throw Fault(kind, "not JSON at byte \(error.offset): \(error.reason)")
    }
    guard let members = value.members else { throw Fault(kind, "not a JSON object") }
    self.text = text
    self.kind = kind
    self.span = value.span
    self.others = members
  }

  func bytes(_ value: JSONValue) -> [UInt8] { Array(text[value.span]) }

  func wrong(_ name: String) -> Fault { Fault(kind, "the member \(name) has a wrong value") }

  private mutating func take<Value>(
    _ name: String, _ read: (JSONValue) -> Value?
  ) throws(Fault) -> Value? {
    guard let place = others.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      return nil
    }
    let value = others.remove(at: place).value
    if value.isNull { return nil }
    guard let result = read(value) else { throw wrong(name) }
    return result
  }

  mutating func string(_ name: String) throws(Fault) -> String? {
    try take(name) { $0.string }
  }

  // A string that fits into a label: at most 16 KiB.
  mutating func text(_ name: String) throws(Fault) -> String? {
    guard let text = try string(name) else { return nil }
    guard text.utf8.count <= 16 << 10 else {
      throw Fault(kind, "the member \(name) has more than 16 KiB")
    }
    return text
  }

  // A text that names something outside: no NUL, not empty.
  mutating func place(_ name: String) throws(Fault) -> String? {
    guard let text = try text(name) else { return nil }
    guard !text.isEmpty, !text.utf8.contains(0) else { throw wrong(name) }
    return text
  }

  mutating func natural(_ name: String) throws(Fault) -> UInt64? {
    try take(name) { $0.natural }
  }

  mutating func bool(_ name: String) throws(Fault) -> Bool? {
    try take(name) { $0.bool }
  }

  mutating func object(_ name: String) throws(Fault) -> JSONValue? {
    try take(name) { $0.members == nil ? nil : $0 }
  }

  mutating func digest(_ name: String) throws(Fault) -> String? {
    try take(name) { value in value.string.flatMap { isHex($0.utf8, 64) ? $0 : nil } }
  }

  mutating func uuid(_ name: String) throws(Fault) -> String? {
    try take(name) { value in value.string.flatMap { isItemID($0) ? $0 : nil } }
  }

  mutating func error(_ name: String) throws(Fault) -> RecordError? {
    guard let value = try object(name) else { return nil }
    let members = value.members ?? []
    guard let stage = members.value("stage")?.string, let code = members.value("code")?.natural,
      let name = members.value("name")?.string, let message = members.value("message")?.string
    else { throw wrong("error") }
    return RecordError(stage: stage, code: code, name: name, message: message)
  }
}

func isHex(_ text: some Collection<UInt8>, _ count: Int) -> Bool {
  text.count == count && text.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
}

/// Whether a text is an item id: a UUID of 36 lower-case characters, not nil.
public func isItemID(_ text: String) -> Bool {
  let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
  guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return false }
  return groups.allSatisfy { isHex($0, $0.count) }
    && text.utf8.contains { $0 != 0x30 && $0 != 0x2D }
}
