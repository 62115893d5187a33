public import VaultFault

extension Destination {
  /// The longest key of a bucket, in bytes of UTF-8.
  public static let maximumKeyBytes = 1024

  /// The name of one item's object.
  ///
  /// - Throws: `bad-target` for a target that is missing, leaves the destination (`..`, an absolute
  ///   path, an empty name), or cannot be a name; `usage` for a key that is too long.
  public func name(item: String, target: [UInt8]?) throws(Fault) -> ObjectName {
    var key = ""
    for piece in pieces {
      switch piece {
      case .text(let text): key += text
      case .item: key += item
      case .target: key += try checked(target)
      }
    }
    guard !key.utf8.contains(0) else { throw Fault(.badTarget, "the name has a zero byte") }
    guard case .bucket(let bucket) = place else { return ObjectName(key: key, shown: key) }
    guard key.utf8.count <= Destination.maximumKeyBytes else {
      throw Fault(.badTarget, "the key \(quoted(key)) has more than 1,024 bytes")
    }
    return ObjectName(key: key, shown: "s3://\(bucket)/\(key)")
  }

  private func checked(_ target: [UInt8]?) throws(Fault) -> String {
    guard let target else { throw Fault(.badTarget, "the item has no target") }
    guard let text = String(validating: target, as: UTF8.self) else {
      throw Fault(.badTarget, "the target is not UTF-8")
    }
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let leaves = target.isEmpty || target[0] == UInt8(ascii: "/") || parts.contains { isUp($0) }
    let isVague = place == .files && parts.contains { $0.isEmpty || $0.elementsEqual(".".utf8) }
    guard !leaves, !isVague else {
      throw Fault(.badTarget, "the target \(quoted(text)) would leave the destination")
    }
    try SlippedAddress.refuse(text, "the target", .badTarget)
    return text
  }

  private func isUp(_ part: Substring.UTF8View) -> Bool { part.elementsEqual("..".utf8) }
}
