/// A moment in UTC as people write it, in the Gregorian calendar, whatever the locale.
public struct CivilTime: Equatable, Sendable {
  /// The year; four digits in all texts made from it.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 31.
  public let day: Int
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int
  /// 0 to 59: leap seconds are not told apart, as in all Unix time.
  public let second: Int

  /// From seconds since 1970.
  public init(_ seconds: Int64) {
    let dayNumber = Int(floorDivide(seconds, 86_400))
    let rest = Int(seconds - Int64(dayNumber) * 86_400)
    (year, month, day) = date(ofDay: dayNumber)
    (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
  }

  /// From its fields; nil if there is no such moment (30 February, hour 24).
  public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    guard (0...9_999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let moment = CivilTime(
      Int64(dayNumber(year: year, month: month, day: day)) * 86_400
        + Int64(hour * 3_600 + minute * 60 + min(second, 59)))
    guard moment.day == day else { return nil }
    self = moment
  }

  /// Seconds since 1970.
  public var seconds: Int64 {
    Int64(dayNumber(year: year, month: month, day: day)) * 86_400
      + Int64(hour * 3_600 + minute * 60 + second)
  }

  /// `2026-11-30T03:36:49Z`.
  public var iso8601: String { text("-", ":") }

  /// `20261130T033649Z`, the form that AWS signs.
  public var iso8601Basic: String { text("", "") }

  private func text(_ dash: String, _ colon: String) -> String {
    [padded(year, 4), dash, padded(month), dash, padded(day), "T"].joined()
      + [padded(hour), padded(minute), padded(second)].joined(separator: colon) + "Z"
  }
}

private func padded(_ number: Int, _ width: Int = 2) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

private func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
  value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
}

// Years are counted from March, so that the leap day is the last of its year, and in eras of 400
// years, which all have 146,097 days; day 719,468 of that count is 1970-01-01.
private let daysPerEra = 146_097
private let epochDay = 719_468

private func dayNumber(year: Int, month: Int, day: Int) -> Int {
  let marchYear = month > 2 ? year : year - 1
  let era = Int(floorDivide(Int64(marchYear), 400))
  let yearOfEra = marchYear - era * 400
  let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
  return era * daysPerEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - epochDay
}

private func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
  let shifted = number + epochDay
  let era = Int(floorDivide(Int64(shifted), Int64(daysPerEra)))
  let dayOfEra = shifted - era * daysPerEra
  let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let marchMonth = (5 * dayOfYear + 2) / 153
  let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
}
