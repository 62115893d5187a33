/// Percent-encoding as SigV4 wants it: every byte outside `A-Za-z0-9-._~` becomes `%XX`, once.
///
/// The string that is signed and the string that is sent come from the same call.
func percentEncoded(_ bytes: some Sequence<UInt8>, keeping kept: UInt8? = nil) -> String {
  var out: [UInt8] = []
  for byte in bytes {
    if isUnreserved(byte) || byte == kept {
      out.append(byte)
    } else {
      out += [UInt8(ascii: "%"), upperHexDigits[Int(byte >> 4)], upperHexDigits[Int(byte & 15)]]
    }
  }
  return String(decoding: out, as: UTF8.self)
}

/// The same for text, a query's name or value.
func percentEncoded(_ text: String) -> String { percentEncoded(text.utf8) }

/// A path: slashes stay as they are, also doubled, leading and trailing ones.
func percentEncoded(path: some Sequence<UInt8>) -> String {
  percentEncoded(path, keeping: UInt8(ascii: "/"))
}

private let upperHexDigits = Array("0123456789ABCDEF".utf8)

// RFC 3986 §2.3
private func isUnreserved(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
    UInt8(ascii: "_"), UInt8(ascii: "~"):
    true
  default: false
  }
}
