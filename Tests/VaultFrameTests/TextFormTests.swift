import Testing
import VaultFault

@testable import VaultFrame

/// A text of the format: how it is read and written again.
enum TextForm: String, CaseIterable {
  case label, envelope, manifest, summary, abort, digest

  /// What is written from what was understood.
  func rewritten(_ text: String) throws(Fault) -> [UInt8] {
    let bytes = Array(text.utf8)
    switch self {
    case .label: return try Label(parsing: bytes.span).payload
    case .envelope:
      let found = try Envelope(parsing: bytes.span)
      let mac = found.payload.suffix(found.payload.count - found.authenticated.count)
      return found.authenticated + mac
    case .manifest: return try Manifest(parsing: bytes.span).payload
    case .summary: return try Summary(parsing: bytes.span).payload
    case .abort: return try AbortOrigin(parsing: bytes.span).payload
    case .digest: return try NamedDigest(parsing: bytes.span).payload
    }
  }

  /// The name of its faults.
  var fault: String {
    switch self {
    case .envelope: "envelope-malformed"
    case .manifest: "manifest-malformed"
    default: "bad-text"
    }
  }

  /// A text with every line that may stand in it.
  var full: String {
    switch self {
    case .label:
      labelText + "target a/b%20c\nrow {\"a\":%20\"%C3%B6\"}\nbytes 9223372036854775807\n"
        + sha3Line
        + "source s3://b/k\n" + origin + description + "digest " + sha3Line + sha256
        + "envelope x%0A\n" + extra
    case .envelope:
      "vault-envelope/1\n" + itemLine + bodyLine + keySlot
        + "slot x25519 0102030405060708 \(base64(32)) \(base64(48))\n"
        + "slot space 0102030405060708 \(base64(32)) \(base64(48))\n"
        + "slot derived 0102030405060708 \(base64(32))\nslot later\nslot later 1 %20 x\n"
        + sealLines
    case .manifest:
      "vault-manifest/1\nbody \(base64(32))\nsize 0\n" + sha256 + "digest " + sha3Line + description
        + origin + extra
    case .summary:
      "vault-summary/1\n" + itemLine + "object-bytes 700\ndata-bytes 5\nchunks 1\nsha256 "
        + String(repeating: "0b", count: 32) + "\n" + bodyLine + "envelope x%0A\n"
        + "name %F0%9F%92%89\nmedia-type application/dicom\noptimized true\ndigest " + sha3Line
    case .abort: abortText + "numbers 0 7 9223372036854775807\n"
    case .digest: sha3Line
    }
  }

  private var sha256: String { "digest sha256 " + String(repeating: "0c", count: 32) + "\n" }
  private var origin: String { "source-etag \"e\"\nsource-version v\nsource-bytes 0\n" }
  private var extra: String { "x-a 1\nx-a 1 %25\nx-b %0A\n" }
  private var description: String {
    "name %0A%7F\nmedia-type text/plain\noptimized true\ntime 2024-02-29T23:59:59Z\n"
  }
}

struct TextFormTests {
  @Test(arguments: TextForm.allCases)
  func textIsWrittenAsItIsRead(form: TextForm) throws {
    #expect(String(decoding: try form.rewritten(form.full), as: UTF8.self) == form.full)
  }

  @Test(arguments: TextForm.allCases)
  func everyLineLeftOutIsMissedOrOptional(form: TextForm) {
    let lines = form.full.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    for index in lines.indices {
      var rest = lines
      rest.remove(at: index)
      expectFaithful(form, rest.joined(separator: "\n") + "\n")
    }
  }

  @Test(arguments: TextForm.allCases)
  func linesInAnotherOrderAreRefused(form: TextForm) {
    let lines = form.full.split(separator: "\n").map(String.init)
    for index in lines.indices.dropLast() {
      let names = [lines[index], lines[index + 1]].map { $0.prefix { $0 != " " } }
      guard names[0] != names[1], !names.allSatisfy({ $0.hasPrefix("x-") }) else { continue }
      var swapped = lines
      swapped.swapAt(index, index + 1)
      #expect(result(form, swapped.joined(separator: "\n") + "\n") == form.fault, "\(index)")
    }
  }

  @Test(arguments: TextForm.allCases)
  func aLineThatStandsTwiceIsRefused(form: TextForm) {
    let lines = form.full.split(separator: "\n").map(String.init)
    for (index, line) in lines.enumerated() {
      let maySlot = line.hasPrefix("slot") && !line.hasPrefix("slot derived")
      guard !line.hasPrefix("x-"), !maySlot else { continue }
      var repeated = lines
      repeated.insert(line, at: index)
      #expect(result(form, repeated.joined(separator: "\n") + "\n") == form.fault, "\(line)")
    }
  }

  @Test(arguments: TextForm.allCases)
  func faultsOfTheGrammarAreRefused(form: TextForm) {
    let full = form.full
    let faults = [
      "", "\n", String(full.dropLast()), full + "\n", "\n" + full, full + "more 1\n",
      full.replacingFirst(" ", "  "), " " + full, full.replacingFirst("\n", " \n"),
      full.replacingFirst(" ", "\t"), full.replacingFirst("\n", "\r\n"), full + "\0",
      full.replacingFirst("a", "\u{E4}"), full.uppercased(), full.replacingFirst(" ", " %41"),
      full.replacingFirst("0", "O"), full.replacingFirst("a", ""),
    ]
    for text in faults { #expect(result(form, text) == form.fault, "\(text.debugDescription)") }
  }

  @Test(arguments: TextForm.allCases.filter { $0 != .digest })
  func anotherVersionIsRefused(form: TextForm) {
    #expect(result(form, form.full.replacingFirst("/1\n", "/2\n")) == form.fault)
  }

  private static let strings = ["source", "source-etag", "source-version", "media-type"]
  private static let texts = ["target", "row", "name", "envelope", "x-a"]
  /// Bytes as they are escaped, and whether they are UTF-8 (RFC 3629).
  private static let sequences: [(String, Bool)] = [
    ("%C3%B6", true), ("%E2%82%AC", true), ("%F0%9F%92%89", true), ("%F4%8F%BF%BF", true),
    ("%EF%BF%BD", true), ("a%CC%88", true), ("%ED%9F%BF", true), ("%EF%BB%BF", true),
    ("%7F", true), ("%C2%80", true), ("%80", false), ("%C3", false), ("%C3a", false),
    ("%C0%80", false), ("%C1%BF", false), ("%E0%80%AF", false), ("%F0%80%80%AF", false),
    ("%ED%A0%80", false), ("%ED%BF%BF", false), ("%F4%90%80%80", false), ("%F8%88%80%80%80", false),
    ("%FE", false), ("%FF", false), ("%E2%82", false), ("%E2%82a", false),
  ]

  @Test(arguments: [TextForm.label, .manifest, .summary])
  func stringsAreUTF8AndTextsAreAnyBytes(form: TextForm) {
    var tried = 0
    for (names, isString) in [(Self.strings, true), (Self.texts, false)] {
      for name in names {
        let lines = form.full.split(separator: "\n").map(String.init)
        guard let place = lines.firstIndex(where: { $0.hasPrefix(name + " ") }) else { continue }
        for (value, isUTF8) in Self.sequences {
          var changed = lines
          changed[place] = "\(name) \(value)"
          let expected = isUTF8 || !isString ? "ok" : form.fault
          let text = changed.joined(separator: "\n") + "\n"
          #expect(result(form, text) == expected, "\(changed[place])")
          tried += 1
        }
      }
    }
    #expect(tried >= 3 * Self.sequences.count)
  }

  @Test(arguments: TextForm.allCases)
  func mutatedTextsAreRefusedOrWrittenAsTheyAre(form: TextForm) {
    var random = SplitMix(state: 7)
    let seed = Array(form.full.utf8)
    for _ in 0..<2_000 {
      expectFaithful(form, String(decoding: mutated(seed, &random), as: UTF8.self))
    }
  }

  private func result(_ form: TextForm, _ text: String) -> String {
    fault { () throws(Fault) in _ = try form.rewritten(text) }
  }

  private func expectFaithful(_ form: TextForm, _ text: String) {
    do throws(Fault) {
      let written = try form.rewritten(text)
      #expect(written == Array(text.utf8))
    } catch {
      #expect(error.kind.rawValue == form.fault)
    }
  }
}

extension String {
  func replacingFirst(_ old: String, _ new: String) -> String {
    guard let range = firstRange(of: old) else { return self }
    return String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
  }
}
