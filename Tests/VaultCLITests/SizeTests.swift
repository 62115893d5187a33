import Testing

@testable import VaultCLI

@Suite struct SizeTests {
  @Test(arguments: [
    ("0", 0), ("007", 7), ("1KiB", 1024), ("8MiB", 8 << 20), ("3GiB", 3 << 30), ("5TiB", 5 << 40),
    ("9223372036854775807", UInt64(Int64.max)), ("8388607TiB", 8_388_607 << 40),
  ])
  func sizesAreBytesOrPowersOf1024(text: String, bytes: UInt64) throws {
    #expect(try Size.parse(text) == bytes)
  }

  @Test(arguments: [
    (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1535, "1.4 KiB"), (1536, "1.5 KiB"),
    (102_399, "99.9 KiB"), (102_400, "100 KiB"), (1_048_575, "1023 KiB"), (1 << 20, "1.0 MiB"),
    (10 << 30, "10.0 GiB"), (UInt64.max, "15.9 EiB"),
  ])
  func shortFormsRoundDown(bytes: UInt64, text: String) { #expect(Size.short(bytes) == text) }

  @Test func exactFormsAreReadBack() throws {
    for bytes in [0, 1, 1023, 1024, 1025, 8 << 20, 5 << 30, 1 << 40, 1_073_741_825] as [UInt64] {
      #expect(try Size.parse(Size.exact(bytes)) == bytes)
    }
    #expect(Size.exact(8 << 20) == "8MiB")
  }

  @Test func clocksHaveTwoDigitSeconds() {
    #expect(clock(5) == "0:05")
    #expect(clock(725) == "12:05")
    #expect(clock(3723) == "1:02:03")
  }
}
