public import VaultFault

// What goes into an object is read back before it is used: whatever is sealed opens.

extension Label {
  /// The payload, read back; throws `internal` for one that no reader takes.
  public func writtenPayload() throws(Fault) -> [UInt8] {
    // A row of 256 KiB is three times as long when it is written, and to read that back takes twice as
    // much again: its rule is short enough to be held here.
    if let row, row.isEmpty || row.count > Label.maxRowBytes || row.contains(0) {
      throw Fault(.badText, "a label would have a row that no reader takes")
    }
    var rest = self
    rest.row = nil
    let bytes = rest.payload
    try readBack("label", rest) { () throws(Fault) in try Label(parsing: bytes.span) }
    return row == nil ? bytes : payload
  }
}

extension Manifest {
  /// The payload, read back; throws `too-large` past 16,383 bytes, `internal` for one that no reader
  /// takes.
  public func writtenPayload() throws(Fault) -> [UInt8] {
    let bytes = payload
    guard bytes.count <= Manifest.maxBytes else {
      throw Fault(.tooLarge, "the name, the media type and the like do not fit into a manifest")
    }
    try readBack("manifest", self) { () throws(Fault) in try Manifest(parsing: bytes.span) }
    return bytes
  }
}

extension Envelope {
  /// The payload, read back; throws `internal` for one that no reader takes.
  public func writtenPayload() throws(Fault) -> [UInt8] {
    let bytes = payload
    try readBack("envelope", self) { () throws(Fault) in try Envelope(parsing: bytes.span) }
    return bytes
  }
}

private func readBack<Text: Equatable>(
  _ what: String, _ written: Text, _ read: () throws(Fault) -> Text
) throws(Fault) {
  let found: Text
  do throws(Fault) { found = try read() } catch {
    throw Fault(.internalFault, "a \(what) would be written that no reader takes: \(error.reason)")
  }
  guard found == written else {
    throw Fault(.internalFault, "a \(what) would be written that reads as another")
  }
}
