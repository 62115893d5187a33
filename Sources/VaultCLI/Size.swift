/// Sizes as people write and read them: bytes, or powers of 1024 with KiB, MiB, GiB, TiB.
public enum Size {
  /// The largest size an option takes; sums of two still fit 64 bits.
  public static let limit = UInt64(Int64.max)

  /// Why a text is no size.
  enum Refusal: Error, Equatable {
    case malformed
    case tooLarge
  }

  /// Reads `4096`, `8MiB`: digits, then nothing or one of the four units.
  static func parse(_ text: String) throws(Refusal) -> UInt64 {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, let shift = shifts[String(text.dropFirst(digits.count))] else {
      throw .malformed
    }
    guard let number = decimal(digits), number <= limit >> shift else { throw .tooLarge }
    return number << shift
  }

  private static let shifts: [String: UInt64] = [
    "": 0, "KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40,
  ]

  /// A size in at most four digits and a unit: `512 B`, `1.5 KiB`, `10.0 MiB`, `973 GiB`.
  ///
  /// Rounded down, so that nothing unfinished reads as finished.
  public static func short(_ bytes: UInt64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    var unit = 0
    while unit < units.count - 1, bytes >> (10 * UInt64(unit)) >= 1024 { unit += 1 }
    let shift = 10 * UInt64(unit)
    let whole = bytes >> shift
    if unit == 0 || whole >= 100 { return "\(whole) \(units[unit])" }
    let rest = bytes - whole << shift
    return "\(whole).\((rest * 10) >> shift) \(units[unit])"
  }

  /// The exact form that options take: `8MiB` when it divides, else plain bytes.
  public static func exact(_ bytes: UInt64) -> String {
    for (unit, shift) in [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)] as [(String, UInt64)]
    where bytes > 0 && bytes & ((1 << shift) - 1) == 0 {
      return "\(bytes >> shift)\(unit)"
    }
    return String(bytes)
  }
}

/// A decimal number of ASCII digits only (no sign, no exponent), or nil; nil past 64 bits too.
func decimal(_ text: some StringProtocol) -> UInt64? {
  guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  return UInt64(text)
}
