/// Decompresses zlib data (RFC 1950, RFC 1951): some vectors come compressed.
public struct Inflate {
  /// The data is not what its format says.
  public struct Malformed: Error {}

  private let input: [UInt8]
  private var position = 0
  private var bits: UInt32 = 0
  private var bitCount: UInt32 = 0
  private var out: [UInt8] = []

  /// Decompresses a whole zlib stream, and checks its sum.
  public static func zlib(_ bytes: [UInt8]) throws -> [UInt8] {
    guard bytes.count >= 6, bytes[0] & 15 == 8, bytes[1] & 0x20 == 0 else { throw Malformed() }
    var reader = Inflate(input: Array(bytes[2..<bytes.count - 4]))
    while try !reader.block() {}
    let sum = bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard adler(reader.out) == sum else { throw Malformed() }
    return reader.out
  }

  private init(input: [UInt8]) { self.input = input }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return high << 16 | low
  }

  private mutating func take(_ count: UInt32) throws -> Int {
    while bitCount < count {
      guard position < input.count else { throw Malformed() }
      bits |= UInt32(input[position]) << bitCount
      position += 1
      bitCount += 8
    }
    defer {
      bits >>= count
      bitCount -= count
    }
    return Int(bits & ((1 << count) - 1))
  }

  private mutating func block() throws -> Bool {
    let isLast = try take(1) == 1
    switch try take(2) {
    case 0: try stored()
    case 1:
      let lengths =
        [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
        + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8)
      try compressed(Huffman(lengths), Huffman([UInt8](repeating: 5, count: 30)))
    case 2: try dynamic()
    default: throw Malformed()
    }
    return isLast
  }

  private mutating func stored() throws {
    bits = 0
    bitCount = 0
    let count = try take(16)
    guard try take(16) == count ^ 0xffff, position + count <= input.count else {
      throw Malformed()
    }
    out += input[position..<position + count]
    position += count
  }

  private mutating func dynamic() throws {
    let literals = try take(5) + 257
    let distances = try take(5) + 1
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    var codeLengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<(try take(4) + 4) { codeLengths[order[index]] = UInt8(try take(3)) }
    let codes = Huffman(codeLengths)
    var lengths: [UInt8] = []
    while lengths.count < literals + distances {
      let symbol = try decode(codes)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw Malformed() }
        lengths += [UInt8](repeating: last, count: try take(2) + 3)
      case 17: lengths += [UInt8](repeating: 0, count: try take(3) + 3)
      case 18: lengths += [UInt8](repeating: 0, count: try take(7) + 11)
      default: lengths.append(UInt8(symbol))
      }
    }
    try compressed(Huffman(Array(lengths[..<literals])), Huffman(Array(lengths[literals...])))
  }

  private mutating func compressed(_ literals: Huffman, _ distances: Huffman) throws {
    while true {
      let symbol = try decode(literals)
      guard symbol != 256 else { return }
      guard symbol > 256 else {
        out.append(UInt8(symbol))
        continue
      }
      let length = try span(symbol - 257, step: 4, first: 3)
      let distance = try span(decode(distances), step: 2, first: 1)
      guard distance <= out.count else { throw Malformed() }
      for _ in 0..<length { out.append(out[out.count - distance]) }
    }
  }

  // RFC 1951 §3.2.5: the tables of lengths and distances follow one rule, but for length 258.
  private mutating func span(_ code: Int, step: Int, first: Int) throws -> Int {
    if step == 4 && code == 28 { return 258 }
    guard code >= step else { return first + code }
    let extra = UInt32(code / step - 1)
    return try first + (step + code % step) << Int(extra) + take(extra)
  }

  private mutating func decode(_ table: Huffman) throws -> Int {
    var code = 0
    var first = 0
    var index = 0
    for length in 1...15 {
      code |= try take(1)
      let count = table.counts[length]
      if code - first < count { return table.symbols[index + code - first] }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw Malformed()
  }

  private struct Huffman {
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    init(_ lengths: [UInt8]) {
      for length in lengths where length > 0 { counts[Int(length)] += 1 }
      for length in 1...15 {
        for (symbol, own) in lengths.enumerated() where Int(own) == length {
          symbols.append(symbol)
        }
      }
    }
  }
}
