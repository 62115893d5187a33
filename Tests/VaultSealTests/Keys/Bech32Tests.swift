import Testing
import VaultCrypto
import VaultDigest
import VaultText
import VaultFault

@testable import VaultSeal

struct Bech32Tests {
  // The valid strings of BIP 173, with what they hold.
  @Test(
    arguments: [
      ("A12UEL5L", "A", ""),
      ("a12uel5l", "a", ""),
      (
        "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio"
          + "1tt5tgs",
        "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio", ""
      ),
      (
        "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw", "abcdef",
        "00443214c74254b635cf84653a56d7c675be77df"
      ),
      (
        "11" + String(repeating: "q", count: 82) + "c8247j", "1", String(repeating: "00", count: 51)
      ),
      (
        "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w", "split",
        "c5f38b70305f519bf66d85fb6cf03058f3dde463ecd7918f2dc743918f2d"
      ),
      ("?1ezyfcl", "?", ""),
    ])
  func validTextsDecodeAndEncodeBack(text: String, prefix: String, payload: String) throws {
    let decoded = try decode(text)
    #expect(decoded.prefix == prefix)
    #expect(hex(decoded.payload) == payload)
    #expect(try encode(prefix.lowercased(), decoded.payload) == text.lowercased())
  }

  @Test(
    arguments: [
      "\u{20}1nwldj5", "\u{7f}1axkwrx", "\u{80}1eym55h",
      "an84characterslonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio"
        + "1569pvx",
      "pzry9x0s0muk", "1pzry9x0s0muk", "x1b4n0q5v", "li1dgmt3", "de1lg7wt\u{ff}", "A1G7SGD8",
      "10a06t8", "1qzzfhee", "", "1", "a12UEL5L", "A12uEL5L", "a12uel5m", "split1cheo2y9e3w",
    ])
  func invalidTextsAreRefused(text: String) {
    #expect(refusal(text)?.kind == .badKeyFile)
  }

  // Good checksums over values that no bytes give: five bits of padding or more, or not all zero.
  @Test(
    arguments: ["a1q3g6mn3", "a1qpamnt9j", "a1qqqd87cpp", "a1qqqqqq3q4q7k", "a1pzry9x8gfa375uy"])
  func badPaddingIsRefused(text: String) {
    #expect(refusal(text)?.reason.contains("padding") == true)
  }

  @Test func everyChangedCharacterIsRefused() throws {
    let good = Array(try encode("age", [UInt8](repeating: 7, count: 32)).utf8)
    var count = 0
    for index in good.indices {
      for character in UInt8(0x21)...0x7e where character != good[index] {
        var bad = good
        bad[index] = character
        #expect(refusal(String(decoding: bad, as: UTF8.self))?.kind == .badKeyFile)
        count += 1
      }
    }
    print("bech32: \(count) changed characters refused")
  }

  @Test func everyLengthSurvives() throws {
    for count in 0...46 {
      let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 41 + 3) }
      let text = try encode("vault", payload)
      #expect(try decode(text).payload == payload)
    }
  }

  private func decode(_ text: String) throws(Fault) -> (prefix: String, payload: [UInt8]) {
    let bytes = Array(text.utf8)
    let decoded = try Bech32.decode(bytes.span)
    let prefix = String(decoding: bytes[..<decoded.prefixLength], as: UTF8.self)
    return (prefix, decoded.payload.array)
  }

  private func encode(_ prefix: String, _ payload: [UInt8]) throws(Fault) -> String {
    let text = try Bech32.encode(prefix: prefix, payload.span)
    return String(decoding: text.array, as: UTF8.self)
  }

  private func refusal(_ text: String) -> Fault? {
    do throws(Fault) {
      _ = try decode(text)
      return nil
    } catch { return error }
  }
}

extension Secret {
  /// The bytes, for comparison.
  var array: [UInt8] {
    let span = bytes
    return span.indices.map { span[$0] }
  }
}
