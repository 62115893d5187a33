import Testing
import VaultCrypto
import VaultDigest
import VaultFault
import VaultFrame
import VaultRecord
import VaultText

@testable import VaultSeal

/// Whoever makes a stream makes its labels: they can add to what the caller expects, and replace none
/// of it.
@Suite struct LabelTests {
  private let data = Array("original".utf8)
  private let owner: Identity
  private let object: [UInt8]
  private let envelope: Envelope

  init() throws {
    owner = try Identity()
    object = try Samples.object(data, Samples.items[0], Samples.options([owner.recipient]))
    envelope = try Samples.envelope(object)
  }

  private static let facts = [
    "item", "body", "object_bytes", "sha256", "sha3_256", "data_sha256", "bytes",
  ]

  /// A member of a row that is true of the object, or that is true of another one.
  private func member(_ fact: String, _ isTrue: Bool) throws -> String {
    let other = [UInt8](repeating: 7, count: 32)
    switch fact {
    case "item": return "\"item\":\"\(Samples.items[isTrue ? 0 : 1].text)\""
    case "body":
      let body = isTrue ? envelope.body : BodyID(salt: Array(other[..<24]), commitment: other)
      return "\"body\":\"\(try #require(body).text)\""
    case "object_bytes": return "\"object_bytes\":\(isTrue ? object.count : 1)"
    case "sha256":
      return "\"sha256\":\"\(hex(isTrue ? try Digest.of(object.span, .sha256) : other))\""
    case "sha3_256":
      return "\"sha3_256\":\"\(hex(isTrue ? try Digest.of(data.span, .sha3_256) : other))\""
    case "data_sha256":
      return "\"data_sha256\":\"\(hex(isTrue ? try Digest.of(data.span, .sha256) : other))\""
    default: return "\"bytes\":\(isTrue ? data.count : 1)"
    }
  }

  private func label(_ members: String) -> Label {
    var label = Label(item: Samples.items[0])
    label.row = Array("{\"source\":\"x\",\(members)}".utf8)
    return label
  }

  private func batch(_ label: Label) -> [UInt8] {
    let text = label.payload
    let head = FrameHeader(.label, payloadLength: text.count, index: 0).bytes
    let end = FrameHeader(.end, payloadLength: 24, index: 0).bytes + EndCounts(1, 1, 0).bytes
    return Prologue.bytes(.begin) + object[..<8] + head + text + object[8...]
      + Prologue.bytes(.end) + end
  }

  private func checked(
    _ label: Label, _ expected: VaultSeal.Expectation = .init(), trust: Bool = true
  ) throws -> (name: String, finding: Verdict.Finding?) {
    let told = Told()
    let consumer = CheckConsumer(
      try Keyring([owner]), expecting: Expectations(expected, trustsRows: trust)
    ) { (verdict, _) in told.verdict = verdict }
    return (try run(consumer, batch(label)), told.verdict?.finding)
  }

  private func framed(_ label: Label, _ expected: VaultSeal.Expectation = .init()) throws -> String
  {
    let keys = try Keyring([owner])
    let filter = ItemFilter("test", to: MemorySink()) { () throws(Fault) in
      FramedOpener(keys, expecting: Expectations(expected))
    }
    return try run(filter, batch(label))
  }

  private func run<Consumer: ItemConsumer & ~Copyable>(
    _ consumer: consuming Consumer, _ stream: [UInt8]
  ) throws -> String {
    var runner = StreamRunner(consumer, accepting: [.sealed])
    do throws(Fault) {
      try runner.push(stream.span)
      try runner.finish()
    } catch { return error.kind.rawValue }
    return "ok"
  }

  private func expectation(_ members: String) throws -> VaultSeal.Expectation {
    var expected = Expectation()
    try expected.add(label(members))
    return expected
  }

  @Test(arguments: facts) func whatARowSaysIsComparedInEveryWayOfOpening(_ fact: String) throws {
    let (good, bad) = (label(try member(fact, true)), label(try member(fact, false)))
    #expect(try checked(good).name == "ok" && framed(good) == "ok")
    #expect(try checked(bad).name == "other-object" && framed(bad) == "other-object")
    let pins = ["body", "sha256", "sha3_256", "data_sha256"].contains(fact)
    #expect(try checked(good).finding == (pins ? .verified(true) : .consistent(true)))
    #expect(try checked(bad).finding == (pins ? .verified(false) : .consistent(false)))
    #expect(try checked(good, trust: false).finding == .consistent(true))
    #expect(try checked(bad, trust: false).name == "other-object")
  }

  @Test(arguments: facts) func aRowCannotReplaceWhatTheCallerExpects(_ fact: String) throws {
    let expected = try expectation(member(fact, false))
    let row = label(try member(fact, true))
    #expect(try checked(row, expected).name == "other-object")
    #expect(try framed(row, expected) == "other-object")
    let same = try expectation(member(fact, true))
    #expect(try checked(row, same).name == "ok" && framed(row, same) == "ok")
  }

  @Test func aLabelCannotReplaceTheDigestOrSizeThatTheCallerExpects() throws {
    var bare = Label(item: Samples.items[0])
    bare.sha3 = try Digest.of(data.span, .sha3_256)
    bare.bytes = UInt64(data.count)
    for fact in ["sha3_256", "bytes"] {
      let expected = try expectation(member(fact, false))
      #expect(try checked(bare, expected).name == "other-object")
      #expect(try framed(bare, expected) == "other-object")
    }
    #expect(try framed(bare) == "ok")
  }

  @Test func theCallersEnvelopeIsNotReplaced() throws {
    let stranger = try Identity()
    let change = EnvelopeRewriter.Change.share(adding: [stranger.recipient], removing: [])
    var expected = Expectation()
    expected.envelope = try EnvelopeRewriter(Keyring([owner]), change).rewritten(envelope)
    var bare = Label(item: Samples.items[0])
    bare.envelope = envelope.payload
    try expected.add(bare)
    #expect(expected.envelope?.slots.count == 2)
  }
}

private final class Told { var verdict: Verdict? }
