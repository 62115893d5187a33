internal import VaultFault
internal import VaultRecord
internal import VaultText
internal import VaultFrame

extension PutEngine {
  // What every receipt has.
  func brief(_ status: Receipt.Status, _ item: ItemProgress) -> Receipt {
    var receipt = Receipt(status, item: item.item)
    receipt.object = item.name?.shown
    receipt.row = item.row
    return receipt
  }

  // What a receipt of an object that is there, or may be there, has.
  func full(_ status: Receipt.Status, _ item: ItemProgress, _ ending: Ending) -> Receipt {
    let summary = ending.summary
    var receipt = brief(status, item)
    receipt.objectBytes = summary.objectBytes
    receipt.dataBytes = summary.dataBytes
    receipt.parts = UInt64(ending.parts)
    receipt.sha256 = hex(ending.sha256)
    receipt.partsSHA256 = try? ending.composite()
    receipt.body = summary.body.text
    receipt.envelope = String(decoding: summary.envelope, as: UTF8.self)
    receipt.name = summary.description.name.map { String(decoding: $0, as: UTF8.self) }
    receipt.mediaType = summary.description.mediaType
    receipt.sha3 = summary.digests[.sha3].map { hex($0) }
    receipt.dataSHA256 = summary.digests[.sha256].map { hex($0) }
    receipt.token = item.token
    return receipt
  }

  // The first cause, as receipts carry it.
  func record(_ fault: Fault) -> RecordError {
    fault.record(settings.tool, settings.redact(fault.reason))
  }

  // A row as receipts carry it.
  func publicLine(_ row: [UInt8]) throws(Fault) -> [UInt8] { try publicRow(row) }
}

extension Receipt.Status {
  // How an item ended that was undone.
  init(ending fault: Fault) {
    switch fault.kind {
    case .exists: self = .exists
    case .cancelled: self = .cancelled
    case .incomplete, .aborted, .commandFailed: self = .incomplete
    default: self = .failed
    }
  }
}

extension Fault {
  // The first cause, which may lie upstream.
  func record(_ tool: String, _ message: String) -> RecordError {
    if let origin {
      return RecordError(
        stage: origin.stage, code: UInt64(origin.exit), name: origin.name, message: message)
    }
    return RecordError(
      stage: tool, code: UInt64(status.rawValue), name: kind.rawValue, message: message)
  }

  // The abort failed too: a person has to know what is left, and how it goes away.
  func leaving(_ upload: UploadName?, _ abort: Fault) -> Fault {
    let left =
      if let upload {
        "upload \(quoted(upload.id)) of \(quoted(upload.object.shown)) is still open"
      } else { "an upload that was begun may still be open" }
    return Fault(
      kind, "\(reason); and \(left): \(abort.reason)",
      hint: abort.hint ?? "vault-put --sweep with the journal removes it", signal: signal)
  }
}

extension Fault {
  // A signal that ends the process says nothing of what it leaves behind.
  var leavesWork: Bool { kind != .cancelled || hint != nil }

  // An upload that may be on its way to an object is not touched, only named.
  func doubting(_ upload: UploadName) -> Fault {
    Fault(
      kind, "\(reason); upload \(quoted(upload.id)) is left as it is",
      hint: hint ?? "vault-put --sweep with the journal settles it", signal: signal)
  }
}
