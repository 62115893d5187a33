/// An element of a small XML document: the answers of S3 and STS.
///
/// A strict reader of the little XML that they use: elements, text, the five entities and character
/// references, comments, CDATA, a declaration. No DOCTYPE, so nothing that expands. Attributes are
/// skipped, prefixes are cut off. Depth and count are bounded; junk is nil, never a trap.
struct XMLElement: Sendable {
  /// The local name.
  var name: String
  /// Its own text, without that of its children.
  var text = ""
  var children: [XMLElement] = []

  static let depthLimit = 16
  static let countLimit = 100_000

  /// Reads a whole document, white space around it allowed.
  init?(document: [UInt8]) {
    var reader = XMLReader(document)
    guard let root = reader.document() else { return nil }
    self = root
  }

  init(name: String) { self.name = name }

  /// The first child of that name.
  subscript(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// The trimmed text of the first child of that name; nil if there is none or it is empty.
  func text(_ name: String) -> String? {
    guard let found = self[name]?.text else { return nil }
    let words = found.utf8.drop(while: isXMLSpace)
    let trimmed = words.reversed().drop(while: isXMLSpace).reversed()
    return trimmed.isEmpty ? nil : String(decoding: Array(trimmed), as: UTF8.self)
  }

  /// Every child of that name, in order.
  func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}

/// Text as it stands between two tags.
func xmlEscaped(_ text: String) -> String {
  var out = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": out += "&amp;"
    case "<": out += "&lt;"
    case ">": out += "&gt;"
    case "\"": out += "&quot;"
    case "\r": out += "&#13;"
    default: out.unicodeScalars.append(scalar)
    }
  }
  return out
}

func isXMLSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
}
