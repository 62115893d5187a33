public import VaultFault

extension Receipt {
  /// The receipt as one compact JSON object, without the line end.
  public var line: [UInt8] {
    var json = JSONWriter()
    json.add("receipt", "vault/1")
    json.add("item", item)
    json.add("status", status.rawValue)
    json.add("object", object)
    json.add("object_bytes", objectBytes)
    json.add("data_bytes", dataBytes)
    json.add("parts", parts)
    json.add("sha256", sha256)
    json.add("parts_sha256", partsSHA256)
    json.add("body", body)
    json.add("envelope", envelope)
    json.add("name", name)
    json.add("media_type", mediaType)
    json.add("sha3_256", sha3)
    json.add("data_sha256", dataSHA256)
    json.add("etag", etag)
    addEnd(to: &json)
    return json.finish()
  }

  private func addEnd(to json: inout JSONWriter) {
    json.add("version_id", versionID)
    json.add("token", token)
    json.add("proof", proof?.rawValue)
    json.add("create", create)
    json.add("stored_at", storedAt)
    json.add("recovered", recovered)
    json.add("row", raw: row)
    json.add("error", raw: error?.json)
    for member in more { json.add(member.name, raw: member.raw) }
  }

  /// Reads a line that ``line`` could have written, in any order of members.
  ///
  /// - Throws: `bad-receipt` for anything else; members of later versions are kept as ``more``.
  public init(line text: [UInt8]) throws(Fault) {
    var fields = try Fields(text, .badReceipt)
    guard try fields.string("receipt") == "vault/1" else {
      throw Fault(.badReceipt, "this is not a receipt of version vault/1")
    }
    guard let status = Status(rawValue: try fields.string("status") ?? "") else {
      throw Fault(.badReceipt, "the receipt has no status that is known")
    }
    self.init(status, item: try fields.uuid("item"))
    try readMiddle(&fields)
    try readEnd(&fields)
    more = fields.others.map { More(name: $0.name, raw: fields.bytes($0.value)) }
  }

  private mutating func readMiddle(_ fields: inout Fields) throws(Fault) {
    object = try fields.string("object")
    objectBytes = try fields.natural("object_bytes")
    dataBytes = try fields.natural("data_bytes")
    parts = try fields.natural("parts")
    sha256 = try fields.digest("sha256")
    partsSHA256 = try fields.string("parts_sha256")
    body = try fields.string("body")
    envelope = try fields.string("envelope")
    name = try fields.string("name")
    mediaType = try fields.string("media_type")
    sha3 = try fields.digest("sha3_256")
    dataSHA256 = try fields.digest("data_sha256")
    etag = try fields.string("etag")
  }

  private mutating func readEnd(_ fields: inout Fields) throws(Fault) {
    versionID = try fields.string("version_id")
    token = try fields.string("token")
    if let word = try fields.string("proof") {
      proof = Evidence(rawValue: word)
      if proof == nil { throw fields.wrong("proof") }
    }
    create = try fields.string("create")
    storedAt = try fields.string("stored_at")
    recovered = try fields.bool("recovered")
    row = try fields.object("row").map { fields.bytes($0) }
    error = try fields.error("error")
  }
}

extension RecordError {
  /// The four members as a compact JSON object.
  public var json: [UInt8] {
    var json = JSONWriter()
    json.add("stage", stage)
    json.add("code", code)
    json.add("name", name)
    json.add("message", message)
    return json.finish()
  }
}
