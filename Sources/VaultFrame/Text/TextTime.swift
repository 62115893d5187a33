/// A time as our texts write it: `YYYY-MM-DDTHH:MM:SSZ` (FORMAT 1.1).
public enum TextTime {
  // 31 December 9999, 23:59:59.
  private static let last: Int64 = 253_402_300_799

  /// The text of a number of seconds since 1970, UTC; nil before it and after the year 9999.
  public static func text(_ seconds: Int64) -> String? {
    (0...last).contains(seconds) ? text(checked: UInt64(seconds)) : nil
  }

  private static func text(checked seconds: UInt64) -> String {
    let (year, month, day) = date(days: seconds / 86_400)
    let rest = seconds % 86_400
    let time = [rest / 3600, rest / 60 % 60, rest % 60].map { pad($0, 2) }.joined(separator: ":")
    return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))T\(time)Z"
  }

  /// The seconds since 1970 of such a text; nil for any other text, an impossible date too.
  public static func seconds(_ text: String) -> UInt64? {
    let characters = Array(text.utf8)
    guard characters.count == 20 else { return nil }
    func number(_ range: Range<Int>) -> UInt64? {
      TextField.digits(characters[range])
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      year >= 1970, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
      second < 60
    else { return nil }
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
    return self.text(checked: seconds) == text ? seconds : nil
  }

  private static func pad(_ value: UInt64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  // The civil calendar by eras of 400 years that begin on the first of March.
  private static func date(days: UInt64) -> (UInt64, UInt64, UInt64) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let leaps = dayOfEra / 1460 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leaps + dayOfEra / 36_524) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func days(_ year: UInt64, _ month: UInt64, _ day: UInt64) -> UInt64 {
    let shiftedYear = year - (month <= 2 ? 1 : 0)
    let yearOfEra = shiftedYear % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return shiftedYear / 400 * 146_097 + dayOfEra - 719_468
  }
}

extension TextField {
  /// Decimal digits only, leading zeros allowed.
  static func digits(_ characters: ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for character in characters {
      guard (0x30...0x39).contains(character) else { return nil }
      value = value * 10 + UInt64(character - 0x30)
    }
    return value
  }
}
