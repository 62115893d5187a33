/// Where one object goes, as the store itself addresses it.
public struct ObjectName: Hashable, Sendable {
  /// The key in the bucket, or the path of the file: raw, never decoded or cleaned.
  public let key: String
  /// What receipts show: `s3://bucket/key`, or the path.
  public let shown: String

  /// Takes both; a store of files has them equal.
  public init(key: String, shown: String) {
    self.key = key
    self.shown = shown
  }

  /// Equal byte by byte: two spellings of one character are two names.
  public static func == (a: ObjectName, b: ObjectName) -> Bool {
    a.key.utf8.elementsEqual(b.key.utf8) && a.shown.utf8.elementsEqual(b.shown.utf8)
  }

  /// Hashes the bytes that `==` compares.
  public func hash(into hasher: inout Hasher) {
    for byte in key.utf8 { hasher.combine(byte) }
  }
}

/// The checksum that travels with each part beside the signature's (`--checksum`).
public enum ChecksumChoice: String, CaseIterable, Sendable {
  case sha256, md5, none
}

/// What a store is told about an object before its last byte is known.
public struct ObjectHints: Sendable {
  /// The item's id, 36 characters; kept as metadata where the store has any.
  public let item: String
  /// The random token of this attempt, 32 lower-case hex digits: proof that an object is ours.
  public let token: String
  /// The object's size in bytes, where an earlier stage said it.
  public let size: UInt64?
  /// An object of that name may be replaced.
  public let overwrite: Bool
  /// More request headers, in order (`--header`); a store without headers ignores them.
  public let headers: [(name: String, value: String)]
  /// The checksum sent along with each part.
  public let checksum: ChecksumChoice

  /// Takes them as they are; nothing is overwritten unless asked.
  public init(
    item: String, token: String, size: UInt64? = nil, overwrite: Bool = false,
    headers: [(name: String, value: String)] = [], checksum: ChecksumChoice = .sha256
  ) {
    self.item = item
    self.token = token
    self.size = size
    self.overwrite = overwrite
    self.headers = headers
    self.checksum = checksum
  }
}

/// An open upload: what `abort` needs, also from another process (journal, state file).
public struct UploadName: Hashable, Sendable {
  /// The object that it will be.
  public let object: ObjectName
  /// The store's own name of the upload: an upload id, or the path of a temporary file.
  public let id: String

  /// Takes what the store answered, or what a journal kept.
  public init(object: ObjectName, id: String) {
    self.object = object
    self.id = id
  }
}
