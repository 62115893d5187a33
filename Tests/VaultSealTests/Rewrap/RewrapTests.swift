import SealedObjects
import Testing
import VaultCrypto
import VaultFault
import VaultFrame

@testable import VaultSeal

@Suite struct RewrapTests {
  private let old: Identity
  private let new: Identity
  private let kek: KeyEncryptionKey
  private let object: [UInt8]
  private let envelope: Envelope

  init() throws {
    old = try Identity()
    new = try Identity()
    kek = try KeyEncryptionKey(Secret(random: 32))
    object = try Samples.object(
      Array("original".utf8), Samples.items[0], Samples.options([old.recipient, kek]))
    envelope = try Samples.envelope(object)
  }

  private func rewriter(
    _ openers: [any SlotOpener], _ change: EnvelopeRewriter.Change
  ) throws -> EnvelopeRewriter { EnvelopeRewriter(try Keyring(openers), change) }

  private func opens(_ envelope: Envelope, _ opener: any SlotOpener) throws -> Bool {
    var expected = Expectation()
    expected.envelope = envelope
    return try Samples.opened(object, [opener], expecting: expected).name == "ok"
  }

  private func kind(_ body: () throws -> Void) -> FaultKind? {
    do { try body() } catch { return (error as? Fault)?.kind }
    return nil
  }

  @Test func onlyTheSlotsThatTheOldKeyOpensAreReplaced() throws {
    let made = try rewriter([old], .replace(by: [new.recipient], only: false)).rewritten(envelope)
    #expect(made.slots.contains(envelope.slots[1]) && !made.slots.contains(envelope.slots[0]))
    #expect(made.item == envelope.item && made.body == envelope.body)
    #expect(try opens(made, new) && opens(made, kek) && !opens(made, old))
  }

  @Test func onlyDropsTheOthersToo() throws {
    let made = try rewriter([old], .replace(by: [new.recipient], only: true)).rewritten(envelope)
    #expect(made.slots.count == 1)
    #expect(try opens(made, new) && !opens(made, kek))
  }

  @Test func aReaderGetsNoSecondSlot() throws {
    let made = try rewriter([old], .share(adding: [kek], removing: [])).rewritten(envelope)
    #expect(made.slots.count == 2)
    #expect(try opens(made, kek))
  }

  @Test func aSlotIsRemovedByRecipientOrById() throws {
    let ids = envelope.slots.map { $0.fields[0] }
    for name in [old.recipient.text, ids[0]] {
      let change = EnvelopeRewriter.Change.share(adding: [], removing: [try SlotName(name)])
      let made = try rewriter([kek], change).rewritten(envelope)
      #expect(made.slots == [envelope.slots[1]])
    }
    #expect(kind { _ = try SlotName("somebody") } == .usage)
  }

  @Test func aSlotThatIsNotThereIsNotRemovedInSilence() throws {
    let there = envelope.slots[0].fields[0]
    for absent in [new.recipient.text, "0123456789abcdef"] {
      let names = try [there, absent].map { try SlotName($0) }
      let change = EnvelopeRewriter.Change.share(adding: [new.recipient], removing: names)
      #expect(kind { _ = try rewriter([kek], change).rewritten(envelope) } == .otherObject)
    }
  }

  @Test func theLastSlotIsNotRemoved() throws {
    let names = try envelope.slots.map { try SlotName($0.fields[0]) }
    let all = try rewriter([kek], .share(adding: [], removing: names))
    #expect(kind { _ = try all.rewritten(envelope) } == .usage)
  }

  // Sealing is not signing: whoever knows a public key can make an envelope that names any body.
  @Test func anEnvelopeWhoseKeyIsNotThatOfItsBodyIsNotHandedOn() throws {
    let key = try DataKey()
    let slot = try old.recipient.slot(wrapping: key, item: envelope.item)
    let forged = try Envelope.sealing(
      item: envelope.item, body: envelope.body, slots: [slot], with: key)
    let changes: [EnvelopeRewriter.Change] = [
      .replace(by: [new.recipient], only: false), .share(adding: [new.recipient], removing: []),
    ]
    for change in changes {
      let rewriter = try rewriter([old], change)
      #expect(kind { _ = try rewriter.rewritten(forged) } == .envelopeForged)
    }
  }

  @Test func aForeignKeyAndDamageAreToldApart() throws {
    let foreign = try rewriter([new], .replace(by: [new.recipient], only: false))
    #expect(kind { _ = try foreign.rewritten(envelope) } == .noKey)
    let damaged = try Envelope(
      item: envelope.item, body: envelope.body, slots: envelope.slots,
      check: { _ in [UInt8](repeating: 0, count: 16) }, mac: { _ in envelope.mac })
    let ours = try rewriter([old], .replace(by: [new.recipient], only: false))
    #expect(kind { _ = try ours.rewritten(damaged) } == .envelopeDamaged)
  }

  @Test func anObjectKeepsItsDataAndGetsTheReader() throws {
    let rewriter = try rewriter([old], .share(adding: [new.recipient], removing: []))
    let filter = ItemFilter("test", to: KeptSink()) {
      ObjectRewriter(rewriter, expecting: Expectations()) { _ in }
    }
    var runner = StreamRunner(filter, accepting: [.sealed])
    try runner.push(object.span)
    try runner.finish()
    let shared = runner.consumer.writer.sink.bytes
    for opener in [old, new, kek] as [any SlotOpener] {
      #expect(try Samples.opened(shared, [opener]).name == "ok")
    }
    let end = envelope.payload.count + 24
    #expect(shared.suffix(24 + 16 + 16).prefix(16) == object.suffix(56).prefix(16))
    #expect(
      Array(shared.dropFirst(try Samples.envelope(shared).payload.count + 24).dropLast(8))
        == Array(object.dropFirst(end).dropLast(8)))
  }
}
