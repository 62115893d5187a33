@testable import VaultStore

// The XML of S3's answers. What is accepted is richer than what is written here: a declaration,
// comments, attributes, prefixes, CDATA, other ways to write a character, white space in tags, `<a/>`,
// and an element's text in pieces between its children. So the bytes of an answer do not come
// back, but all that the reader makes of it does, and from then on the bytes are the same.

func answers(_ bytes: [UInt8]) {
  guard let root = XMLElement(document: bytes) else { return }
  let first = written(root)
  guard let again = XMLElement(document: first) else {
    return require(false, "what is written is no XML")
  }
  require(isSame(root, again), "XML is written as another")
  require(written(again) == first, "XML is written in two ways")
}

private func written(_ element: XMLElement) -> [UInt8] {
  require(!element.name.isEmpty, "an element without a name")
  let name = Array(element.name.utf8)
  let start = [UInt8(ascii: "<")] + name + [UInt8(ascii: ">")]
  let inner = Array(xmlEscaped(element.text).utf8) + element.children.flatMap(written)
  return start + inner + Array("</".utf8) + name + [UInt8(ascii: ">")]
}

// By bytes: to a string two spellings of one letter would be equal.
private func isSame(_ left: XMLElement, _ right: XMLElement) -> Bool {
  left.name.utf8.elementsEqual(right.name.utf8) && left.text.utf8.elementsEqual(right.text.utf8)
    && left.children.count == right.children.count
    && zip(left.children, right.children).allSatisfy(isSame)
}
