internal import VaultFrame

/// Where the frames of an object stand.
public struct Layout {
  /// One frame.
  public struct Part {
    /// Its type.
    public let letter: Character
    /// The bytes of its header.
    public let header: Range<Int>
    /// The bytes of its payload.
    public let payload: Range<Int>
    /// All its bytes.
    public var whole: Range<Int> { header.lowerBound..<payload.upperBound }
  }

  /// The frames in their order.
  public let parts: [Part]

  /// Looks at an object that is well formed.
  public init(_ object: [UInt8]) {
    var parts: [Part] = []
    var at = Prologue.length
    while at < object.count {
      let length = Int(object.span.bigEndian(at: at + 4, bytes: 4))
      let payload = at + FrameHeader.length
      parts.append(
        Part(
          letter: Character(Unicode.Scalar(object[at])), header: at..<payload,
          payload: payload..<payload + length))
      at = payload + length
    }
    self.parts = parts
  }

  /// The frames of a type.
  public subscript(_ letter: Character) -> [Part] { parts.filter { $0.letter == letter } }

  /// The sealed chunks, in order.
  public var chunks: [Range<Int>] {
    self["C"].enumerated().flatMap { index, part in
      let from = part.payload.lowerBound + (index == 0 ? BodyLayout.headBytes : 0)
      let size = BodyLayout.sealedChunkBytes
      return stride(from: from, to: part.payload.upperBound, by: size).map {
        $0..<min($0 + size, part.payload.upperBound)
      }
    }
  }
}
