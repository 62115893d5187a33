import Testing
import VaultFault

@testable import VaultFrame

struct FrameHeaderTests {
  @Test(arguments: FrameType.allCases)
  func headerIsReadAsItIsWritten(type: FrameType) throws {
    for length in [type.minimum, type.limit] {
      let header = FrameHeader(type, payloadLength: length, index: 1 << 40)
      let bytes = header.bytes
      #expect(try FrameHeader(parsing: bytes.span) == header)
    }
  }

  @Test(arguments: FrameType.allCases)
  func lengthsOutsideTheLimitsAreRefused(type: FrameType) {
    #expect(parse(header(letter(type), type.limit + 1)) == "frame-too-long")
    #expect(parse(header(letter(type), type.minimum - 1)) == "frame-length")
    #expect(parse(header(letter(type), Int(UInt32.max))) == "frame-too-long")
  }

  @Test(arguments: FrameType.allCases)
  func everyOtherFlagIsRefused(type: FrameType) {
    let right: UInt8 = type.isTransient ? 1 : 0
    for flags in UInt8.min...UInt8.max where flags != right {
      #expect(parse(header(letter(type), type.limit, flags: flags)) == "bad-flags")
    }
  }

  @Test(arguments: FrameType.allCases)
  func reservedBytesMustBeZero(type: FrameType) {
    for reserved: UInt64 in [1, 0x100, 0xFFFF] {
      #expect(parse(header(letter(type), type.limit, reserved: reserved)) == "bad-reserved")
    }
  }

  @Test func unknownTypesAreRefusedWhateverElseTheHeaderSays() {
    let known = Set(FrameType.allCases.map(\.rawValue))
    for type in UInt8.min...UInt8.max where !known.contains(type) {
      for flags in UInt8.min...UInt8.max {
        let bytes = [type, flags] + header("Q", 0)[2...]
        #expect(parse(bytes) == "unknown-frame")
      }
    }
    #expect(parse(header("Q", Int(UInt32.max), index: .max, reserved: 1)) == "unknown-frame")
  }

  private func letter(_ type: FrameType) -> Character { Character(type.letter) }

  private func parse(_ bytes: [UInt8]) -> String {
    fault { () throws(Fault) in _ = try FrameHeader(parsing: bytes.span) }
  }
}
