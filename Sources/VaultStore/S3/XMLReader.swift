/// The reader behind ``XMLElement``: a cursor over bytes, one function for each construct.
struct XMLReader {
  private let bytes: [UInt8]
  private var at = 0
  private var count = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() -> XMLElement? {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { at = 3 }
    guard skipMisc(), let root = element(depth: 1), skipMisc(), at == bytes.count
    else { return nil }
    return root
  }

  // White space, comments and processing instructions before and after the root.
  private mutating func skipMisc() -> Bool {
    while at < bytes.count {
      if isXMLSpace(bytes[at]) {
        at += 1
      } else if take("<?") {
        guard skip(past: "?>") else { return false }
      } else if take("<!--") {
        guard skip(past: "-->") else { return false }
      } else {
        return true
      }
    }
    return true
  }

  private mutating func element(depth: Int) -> XMLElement? {
    count += 1
    guard depth <= XMLElement.depthLimit, count <= XMLElement.countLimit, take("<"),
      let name = name(), let isEmpty = endOfStartTag()
    else { return nil }
    var element = XMLElement(name: localName(name))
    if element.name.isEmpty { return nil }
    if isEmpty { return element }
    guard content(of: &element, depth: depth) else { return nil }
    // The end tag's name must be the start tag's, prefix and all.
    guard self.name() == name else { return nil }
    skipSpace()
    return take(">") ? element : nil
  }

  // Up to and with the "</" that ends the element.
  private mutating func content(of element: inout XMLElement, depth: Int) -> Bool {
    var text: [UInt8] = []
    while at < bytes.count {
      if take("</") {
        element.text = String(decoding: text, as: UTF8.self)
        return true
      } else if take("<!--") {
        guard skip(past: "-->") else { return false }
      } else if take("<![CDATA[") {
        let start = at
        guard skip(past: "]]>") else { return false }
        text += bytes[start..<(at - 3)]
      } else if bytes[at] == UInt8(ascii: "<") {
        guard let child = self.element(depth: depth + 1) else { return false }
        element.children.append(child)
      } else {
        guard character(into: &text) else { return false }
      }
    }
    return false
  }

  private mutating func character(into text: inout [UInt8]) -> Bool {
    guard bytes[at] == UInt8(ascii: "&") else {
      text.append(bytes[at])
      at += 1
      return true
    }
    at += 1
    guard let end = bytes[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
      let scalar = entity(String(decoding: bytes[at..<end], as: UTF8.self))
    else { return false }
    text += Array(String(scalar).utf8)
    at = end + 1
    return true
  }

  private func entity(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let isHex = name.hasPrefix("#x")
      let digits = name.dropFirst(isHex ? 2 : 1)
      // Swift's own reader of numbers takes a sign as well.
      guard !digits.hasPrefix("+"), !digits.hasPrefix("-") else { return nil }
      return UInt32(digits, radix: isHex ? 16 : 10)
        .flatMap(Unicode.Scalar.init)
    }
  }

  private mutating func name() -> [UInt8]? {
    let start = at
    while at < bytes.count, isNameByte(bytes[at]) { at += 1 }
    return at > start ? Array(bytes[start..<at]) : nil
  }

  // Skips attributes; true for "/>".
  private mutating func endOfStartTag() -> Bool? {
    while at < bytes.count {
      skipSpace()
      if take("/>") { return true }
      if take(">") { return false }
      guard name() != nil else { return nil }
      skipSpace()
      guard take("=") else { return nil }
      skipSpace()
      guard take("\"") ? skip(past: "\"") : take("'") && skip(past: "'") else { return nil }
    }
    return nil
  }

  private mutating func skipSpace() {
    while at < bytes.count, isXMLSpace(bytes[at]) { at += 1 }
  }

  private mutating func take(_ token: StaticString) -> Bool {
    let wanted = token.description.utf8
    guard bytes[at...].starts(with: wanted) else { return false }
    at += wanted.count
    return true
  }

  private mutating func skip(past token: StaticString) -> Bool {
    while at < bytes.count {
      if take(token) { return true }
      at += 1
    }
    return false
  }
}

private func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x3a, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x80...: true
  default: false
  }
}

private func localName(_ name: [UInt8]) -> String {
  let local = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).last
  return String(decoding: local ?? [], as: UTF8.self)
}
