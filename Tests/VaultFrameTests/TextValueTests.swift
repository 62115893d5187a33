import Testing

@testable import VaultFrame

struct TextValueTests {
  @Test func everyByteButZeroIsWrittenInOneWay() {
    for byte in UInt8(1)...255 {
      var written: [UInt8] = []
      TextField.escape([byte], to: &written)
      let text = String(decoding: written, as: UTF8.self)
      let isPlain = (0x21...0x7E).contains(byte) && byte != 0x25
      #expect(text.utf8.count == (isPlain ? 1 : 3))
      #expect(TextField.unescape(text) == [byte])
    }
  }

  @Test(arguments: ["", "%", "%4", "%41", "%00", "%c3", "%zz", " ", "a b", "\u{7F}", "%2", "\n"])
  func otherEscapesAreRefused(text: String) { #expect(TextField.unescape(text) == nil) }

  @Test(arguments: [
    "", "-1", "+1", "01", "00", "1 ", " 1", "1e3", "0x1", "9223372036854775808", "१",
  ])
  func otherNumbersAreRefused(text: String) { #expect(TextField.number(text) == nil) }

  @Test(
    arguments: [("0", 0), ("7", 7), ("9223372036854775807", UInt64(Int64.max))]
      as [(String, UInt64)])
  func numbersBelow2To63AreRead(text: String, value: UInt64) {
    #expect(TextField.number(text) == value)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
      (1_767_323_045, "2026-01-02T03:04:05Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    ] as [(UInt64, String)])
  func timesAreDaysOfTheCalendar(seconds: UInt64, text: String) {
    #expect(TextTime.text(Int64(seconds)) == text)
    #expect(TextTime.seconds(text) == seconds)
  }

  @Test(arguments: [
    "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "1969-12-31T23:59:59Z", "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00z",
    "2026-01-01T00:00:00.0Z", "2100-02-29T00:00:00Z", "+026-01-01T00:00:00Z", "",
  ])
  func otherTimesAreRefused(text: String) { #expect(TextTime.seconds(text) == nil) }

  @Test func everyDayOf400YearsIsReadAsItIsWritten() {
    for day in UInt64(0)..<146_097 where day % 7 == 0 {
      #expect(TextTime.text(Int64(day * 86_400)).flatMap(TextTime.seconds) == day * 86_400)
    }
  }
}
