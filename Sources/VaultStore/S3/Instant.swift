/// A moment in UTC, in whole seconds since 1970; written and read without the host's locale or zone.
struct Instant: Comparable, Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  var seconds: Int64

  static func < (a: Instant, b: Instant) -> Bool { a.seconds < b.seconds }

  /// `20150830T123600Z`, the form of signatures.
  var basic: String { day + "T" + clock(":").filter { $0 != ":" } + "Z" }

  /// `20150830`, the form of credential scopes.
  var day: String { date("-").filter { $0 != "-" } }

  /// `2015-08-30T12:36:00Z`, the form of receipts.
  var extended: String { date("-") + "T" + clock(":") + "Z" }

  private func date(_ separator: String) -> String {
    let (year, month, day) = civil(day: floorDivide(seconds, 86_400))
    return digits(year, 4) + separator + digits(month, 2) + separator + digits(day, 2)
  }

  private func clock(_ separator: String) -> String {
    let second = seconds - floorDivide(seconds, 86_400) * 86_400
    return digits(second / 3600, 2) + separator + digits(second / 60 % 60, 2) + separator
      + digits(second % 60, 2)
  }
}

extension Instant {
  /// Reads `2015-08-30T12:36:00Z`, with a fraction or an offset such as `+01:00` if it must be.
  init?(iso text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == 0x2d, bytes[7] == 0x2d, bytes[13] == 0x3a,
      bytes[16] == 0x3a, bytes[10] == 0x54 || bytes[10] == 0x20,
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
      let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      let zone = zoneOffset(bytes[19...])
    else { return nil }
    self.init(year, month, day, hour, minute, second)
    seconds -= zone
  }

  /// Reads the date of an HTTP header: `Sun, 30 Aug 2015 12:36:00 GMT` (RFC 9110 §5.6.7).
  init?(httpDate text: String) {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = number(Array(words[1].utf8)[...]),
      let month = monthNames.firstIndex(of: String(words[2])),
      let year = number(Array(words[3].utf8)[...])
    else { return nil }
    let time = words[4].split(separator: ":").map { number(Array($0.utf8)[...]) }
    guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2]
    else { return nil }
    self.init(year, Int64(month) + 1, day, hour, minute, second)
  }

  private init?(
    _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64, _ minute: Int64, _ second: Int64
  ) {
    guard (1...12).contains(month), (1...31).contains(day), (0...9999).contains(year), hour < 24,
      minute < 60, second <= 60
    else { return nil }
    seconds = dayNumber(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
  }
}

private let monthNames = [
  "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
]

private func digits(_ value: Int64, _ width: Int) -> String {
  let text = String(value)
  return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
}

private func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
  guard !bytes.isEmpty, bytes.count <= 4 else { return nil }
  var value: Int64 = 0
  for byte in bytes {
    guard (0x30...0x39).contains(byte) else { return nil }
    value = value * 10 + Int64(byte - 0x30)
  }
  return value
}

// `Z`, `.123Z`, `+01:00`: seconds to subtract.
private func zoneOffset(_ bytes: ArraySlice<UInt8>) -> Int64? {
  var rest = bytes
  if rest.first == UInt8(ascii: ".") {
    rest = rest.dropFirst().drop { (0x30...0x39).contains($0) }
  }
  if rest.elementsEqual("Z".utf8) { return 0 }
  let zone = Array(rest)
  guard zone.count == 6, zone[0] == 0x2b || zone[0] == 0x2d, zone[3] == 0x3a,
    let hours = number(zone[1..<3]), let minutes = number(zone[4..<6])
  else { return nil }
  return (hours * 3600 + minutes * 60) * (zone[0] == 0x2b ? 1 : -1)
}

private func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { (a - (a % b + b) % b) / b }

// The Gregorian calendar counted in eras of 400 years that begin in March, so that the leap day is
// the last day of its year.
private func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
  let y = month <= 2 ? year - 1 : year
  let era = floorDivide(y, 400)
  let yearOfEra = y - era * 400
  let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
  return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

private func civil(day number: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let shifted = number + 719_468
  let era = floorDivide(shifted, 146_097)
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
}
