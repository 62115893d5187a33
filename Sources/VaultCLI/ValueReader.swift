internal import VaultFault
internal import VaultFrame

/// Reads the value of one option, or says in one line what is wrong with it.
struct ValueReader {
  let spec: OptionSpec
  let argument: Argument

  func read() throws(Fault) -> OptionValue {
    guard !argument.bytes.isEmpty else { throw usage("the value is empty") }
    if spec.kind == .path { return .path(argument) }
    guard let text = argument.text else { throw refusal("is not UTF-8") }
    switch spec.kind {
    case .flag: return .present
    case .text: return .text(text)
    case .path: return .path(argument)
    case .size(let bounds): return .size(try size(text, bounds))
    case .count(let bounds): return .count(try count(text, bounds))
    case .uuid: return .text(try uuid(text))
    case .hex(let count): return .bytes(try hex(text, count))
    case .descriptor: return .count(try count(text, 0...0xF_FFFF))
    case .choice(let words): return .words([try word(text, words)])
    case .choices(let words): return .words(try list(text, words))
    case .range: return .range(try range(text))
    }
  }

  private func size(_ text: String, _ bounds: ClosedRange<UInt64>) throws(Fault) -> UInt64 {
    let size: UInt64
    do {
      size = try Size.parse(text)
    } catch {
      let forms = "a size is a number of bytes, or one with KiB, MiB, GiB or TiB"
      throw error == .tooLarge
        ? refusal("is too large") : refusal("is not a size", hint: forms)
    }
    guard bounds.contains(size) else {
      throw refusal(
        size < bounds.lowerBound
          ? "is less than \(Size.exact(bounds.lowerBound))"
          : "is more than \(Size.exact(bounds.upperBound))")
    }
    return size
  }

  private func count(_ text: String, _ bounds: ClosedRange<Int>) throws(Fault) -> Int {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw refusal("is not a number", hint: "a number is written in decimal digits only")
    }
    guard let number = decimal(text), let count = Int(exactly: number) else {
      throw refusal("is too large")
    }
    guard bounds.contains(count) else {
      throw refusal("is not between \(bounds.lowerBound) and \(bounds.upperBound)")
    }
    return count
  }

  private func uuid(_ text: String) throws(Fault) -> String {
    guard isCanonicalUUID(Array(text.utf8)) else {
      throw refusal(
        "is not a UUID", hint: "a UUID is 36 characters, lower case, and not all zeros")
    }
    return text
  }

  private func hex(_ text: String, _ count: Int) throws(Fault) -> [UInt8] {
    let digits = text.utf8.map(hexDigit)
    let nibbles = digits.compactMap { $0 }
    guard nibbles.count == digits.count, nibbles.count == 2 * count else {
      throw refusal("is not \(2 * count) hex digits")
    }
    return (0..<count).map { nibbles[2 * $0] << 4 | nibbles[2 * $0 + 1] }
  }

  private func word(_ text: String, _ words: [String]) throws(Fault) -> String {
    guard words.contains(text) else {
      throw refusal("is not one of \(words.joined(separator: ", "))")
    }
    return text
  }

  private func list(_ text: String, _ words: [String]) throws(Fault) -> [String] {
    var list: [String] = []
    for item in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard words.contains(String(item)) else {
        throw usage("\(quoted(item)) is not one of \(words.joined(separator: ", "))")
      }
      list.append(String(item))
    }
    return list
  }

  private func range(_ text: String) throws(Fault) -> ByteRange {
    guard let range = ByteRange(text) else {
      throw refusal("is not a range", hint: "a range is A-B, A- or -N, counted from byte 0")
    }
    return range
  }

  private func refusal(_ what: String, hint: String? = nil) -> Fault {
    usage("\(quoted(utf8: argument.bytes)) \(what)", hint: hint)
  }

  private func usage(_ what: String, hint: String? = nil) -> Fault {
    Fault(.usage, "option \(quoted(spec.flag)): \(what)", hint: hint)
  }
}

private func isCanonicalUUID(_ bytes: [UInt8]) -> Bool {
  guard bytes.count == 36 else { return false }
  var zero = true
  for (index, byte) in bytes.enumerated() {
    if [8, 13, 18, 23].contains(index) {
      guard byte == UInt8(ascii: "-") else { return false }
    } else {
      guard let digit = hexDigit(byte), !(0x41...0x46).contains(byte) else { return false }
      zero = zero && digit == 0
    }
  }
  return !zero
}

private func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
