public import VaultFault

/// The members of a row that never leave this machine in a receipt or a verdict.
private let privateMembers = ["name", "media_type", "sha3_256", "sha256", "data_sha256"]

/// The members that say where to read: a URL's query or user may be the permission itself.
private let placeMembers = ["source", "object"]

/// A row without its private members, and without what is secret in the URL it was read from; every
/// other byte stays as it is.
///
/// A member goes with the comma and the white space up to the next one.
/// - Throws: `bad-row` if it is not one JSON object on one line, or over 256 KiB, before or after.
public func publicRow(_ row: [UInt8]) throws(Fault) -> [UInt8] {
  guard row.count <= Row.maximumBytes else { throw Fault(.badRow, "the row is over 256 KiB") }
  let fields = try Fields(row, .badRow)
  guard !row.contains(0x0A) else { throw Fault(.badRow, "the row has more than one line") }
  let members = fields.others
  guard let first = members.first, let last = members.last else { return Array(row[fields.span]) }
  let kept = members.indices.filter { !privateMembers.contains(members[$0].name) }
  var out = Array(row[fields.span.lowerBound..<first.span.lowerBound])
  for place in kept {
    out += publicMember(members[place], row)
    if place == kept.last { continue }
    out += row[members[place].span.upperBound..<members[place + 1].span.lowerBound]
  }
  out += row[last.span.upperBound..<fields.span.upperBound]
  // What stands for the query of a short URL is longer than it.
  guard out.count <= Row.maximumBytes else {
    throw Fault(.badRow, "the row is over 256 KiB when its URL is hidden")
  }
  return out
}

private func publicMember(_ member: JSONMember, _ row: [UInt8]) -> [UInt8] {
  guard placeMembers.contains(member.name), let text = member.value.string,
    let shown = publicURL(text)
  else { return Array(row[member.span]) }
  return row[member.span.lowerBound..<member.value.span.lowerBound] + JSONWriter.quoted(shown)
}

extension Row {
  /// Whether its URL is more than a receipt shows: then two rows may look alike there.
  public var isReadFromSecret: Bool {
    publicURL(source) != nil || object.flatMap(publicURL) != nil
  }
}

// The URL without user and query, where it has one.
private func publicURL(_ text: String) -> String? {
  guard let scheme = ["https://", "http://"].first(where: { isPrefix($0, of: text) }) else {
    return nil
  }
  let rest = text.utf8.dropFirst(scheme.utf8.count)
  let open = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
  let authority = open.prefix { $0 != UInt8(ascii: "/") && $0 != 0x5C }
  let user = authority.lastIndex(of: UInt8(ascii: "@"))
  guard open.count < rest.count || user != nil else { return nil }
  let start = user.map { open.index(after: $0) } ?? open.startIndex
  return scheme + String(decoding: open[start...], as: UTF8.self) + "?hidden"
}

private func isPrefix(_ scheme: String, of text: String) -> Bool {
  let start = text.utf8.prefix(scheme.utf8.count)
  return start.count == scheme.utf8.count
    && zip(start, scheme.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
}
