internal import VaultCrypto
internal import VaultFault

/// Bech32 text (BIP 173), strict. All scratch space is secret, since the text may be a private key.
enum Bech32 {
  /// Where the part before the separator ends, and the bytes after it.
  struct Decoded: ~Copyable {
    let prefixLength: Int
    let payload: Secret
  }

  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
  private static let checksumLength = 6
  private static let maxLength = 90

  /// Decodes a text of up to 90 characters.
  /// - Throws: ``FaultKind/badKeyFile`` with a reason that shows nothing of the text.
  static func decode(_ text: Span<UInt8>) throws(Fault) -> Decoded {
    guard text.count <= maxLength else { throw refusal("it is too long") }
    try checkCharacters(text)
    guard let separator = text.indices.last(where: { text[$0] == UInt8(ascii: "1") }),
      separator > 0, text.count - separator - 1 >= checksumLength
    else { throw refusal("it is cut short") }
    let digits = text.extracting((separator + 1)...)
    let values = try Secret(count: digits.count) { (out) throws(Fault) in
      for index in digits.indices { out[index] = try value(digits[index]) }
    }
    // In a damaged key a part of the secret may stand here: it too is never copied.
    var sum = Checksum(prefix: text.extracting(first: separator))
    sum.add(values.bytes)
    guard sum.state == 1 else { throw refusal("its checksum is wrong, a character was changed") }
    let payload = try regroup(values.bytes.extracting(droppingLast: checksumLength))
    return Decoded(prefixLength: separator, payload: payload)
  }

  /// Encodes bytes under a lower-case prefix; the whole text is in lower case.
  static func encode(prefix: String, _ payload: Span<UInt8>) throws(Fault) -> Secret {
    let digits = (payload.count * 8 + 4) / 5
    let prefix = Array(prefix.utf8)
    let start = prefix.count + 1
    var sum = Checksum(prefix: prefix.span)
    return try Secret(count: start + digits + checksumLength) { (out) throws(Fault) in
      for index in prefix.indices { out[index] = prefix[index] }
      out[start - 1] = UInt8(ascii: "1")
      for index in 0..<digits {
        let value = fiveBits(of: payload, at: index * 5)
        sum.add(value)
        out[start + index] = alphabet[Int(value)]
      }
      for value in sum.checksum.enumerated() {
        out[start + digits + value.offset] = alphabet[Int(value.element)]
      }
    }
  }

  private static func checkCharacters(_ text: Span<UInt8>) throws(Fault) {
    var hasUpper = false
    var hasLower = false
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): hasUpper = true
      case UInt8(ascii: "a")...UInt8(ascii: "z"): hasLower = true
      case 0x21...0x7e: break
      default: throw refusal("it holds a space or another character that no key has")
      }
    }
    if hasUpper && hasLower { throw refusal("it mixes upper and lower case") }
  }

  private static func value(_ digit: UInt8) throws(Fault) -> UInt8 {
    guard let value = alphabet.firstIndex(of: lowerCase(digit)) else {
      throw refusal("it holds a character that no key has")
    }
    return UInt8(value)
  }

  private static func lowerCase(_ character: UInt8) -> UInt8 {
    let upper = UInt8(ascii: "A")...UInt8(ascii: "Z")
    return upper.contains(character) ? character | 0x20 : character
  }

  // BIP 173: fewer than five bits of padding, all zero.
  private static func regroup(_ values: Span<UInt8>) throws(Fault) -> Secret {
    let count = values.count * 5 / 8
    guard values.count * 5 - count * 8 < 5 else { throw refusal("its padding is wrong") }
    return try Secret(count: count) { (out) throws(Fault) in
      var word: UInt32 = 0
      var bits: UInt32 = 0
      var written = 0
      for index in values.indices {
        word = word << 5 | UInt32(values[index])
        bits += 5
        guard bits >= 8 else { continue }
        bits -= 8
        out[written] = UInt8(truncatingIfNeeded: word >> bits)
        written += 1
        word &= (1 << bits) - 1
      }
      guard word == 0 else { throw refusal("its padding is wrong") }
    }
  }

  // Bits past the end are zeros: the padding.
  private static func fiveBits(of bytes: Span<UInt8>, at bit: Int) -> UInt8 {
    let index = bit / 8
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0
    let word = UInt16(bytes[index]) << 8 | UInt16(next)
    return UInt8(word >> UInt16(11 - bit % 8) & 31)
  }

  private static func refusal(_ reason: String) -> Fault { Fault(.badKeyFile, reason) }

  /// The code over prefix and values (BIP 173, checksum).
  private struct Checksum {
    var state: UInt32 = 1

    private static let generator: [UInt32] = [
      0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3,
    ]

    init(prefix: Span<UInt8>) {
      for index in prefix.indices { add(lowerCase(prefix[index]) >> 5) }
      add(0)
      for index in prefix.indices { add(lowerCase(prefix[index]) & 31) }
    }

    mutating func add(_ value: UInt8) {
      let top = state >> 25
      state = (state & 0x1ff_ffff) << 5 ^ UInt32(value)
      for index in 0..<5 where top >> UInt32(index) & 1 == 1 {
        state ^= Checksum.generator[index]
      }
    }

    mutating func add(_ values: Span<UInt8>) {
      for index in values.indices { add(values[index]) }
    }

    /// The six values that make the code of a good text.
    var checksum: [UInt8] {
      var whole = self
      for _ in 0..<checksumLength { whole.add(0) }
      let code = whole.state ^ 1
      return (0..<6).map { UInt8(code >> UInt32(5 * (5 - $0)) & 31) }
    }
  }
}
