internal import VaultIO

/// A moment in UTC, in whole seconds since 1970; written and read without the host's locale or zone.
struct Instant: Comparable, Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  var seconds: Int64

  static func < (a: Instant, b: Instant) -> Bool { a.seconds < b.seconds }

  /// What the clock of this machine says.
  static var now: Instant { Instant(seconds: Clock.now().seconds) }

  /// `20150830T123600Z`, the form of signatures.
  var basic: String { CivilTime(seconds).iso8601Basic }

  /// `20150830`, the form of credential scopes.
  var day: String { String(basic.prefix(8)) }
}

extension Instant {
  /// Reads `2015-08-30T12:36:00Z`, with a fraction or an offset such as `+01:00` if it must be.
  init?(iso text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == 0x2d, bytes[7] == 0x2d, bytes[13] == 0x3a,
      bytes[16] == 0x3a, bytes[10] == 0x54,
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
      let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      let zone = zoneOffset(bytes[19...]),
      let time = CivilTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    seconds = time.seconds - Int64(zone)
  }

  /// Reads the date of an HTTP header: `Sun, 30 Aug 2015 12:36:00 GMT` (RFC 9110 §5.6.7).
  init?(httpDate text: String) {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = number(Array(words[1].utf8)[...]),
      let month = monthNames.firstIndex(of: String(words[2])),
      let year = number(Array(words[3].utf8)[...])
    else { return nil }
    let clock = words[4].split(separator: ":").map { number(Array($0.utf8)[...]) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      let time = CivilTime(
        year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    seconds = time.seconds
  }
}

private let monthNames = [
  "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
]

private func number(_ bytes: ArraySlice<UInt8>) -> Int? {
  guard !bytes.isEmpty, bytes.count <= 4 else { return nil }
  var value = 0
  for byte in bytes {
    guard (0x30...0x39).contains(byte) else { return nil }
    value = value * 10 + Int(byte - 0x30)
  }
  return value
}

// `Z`, `.123Z`, `+01:00`: seconds to subtract.
private func zoneOffset(_ bytes: ArraySlice<UInt8>) -> Int? {
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
