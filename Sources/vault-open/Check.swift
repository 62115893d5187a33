import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultKeys
import VaultRecord
import VaultSeal

/// `--check`: a verdict for each object that came, and for each receipt that none has answered.
struct Check {
  private let keys: Keyring
  private let expected: Expectations
  private let say: Diagnostics
  private let isQuiet: Bool
  private let hasMany: Bool
  private let tally = Tally()

  init(
    _ sources: borrowing Sources, _ arguments: Arguments, _ say: Diagnostics
  ) throws(Fault) {
    let keys = try sources.keys.read()
    let expected = try sources.expected.read(adding: sources.common(arguments), say)
    self.keys = keys
    self.expected = expected
    self.say = say
    isQuiet = arguments[Options.quiet]
    hasMany = sources.inputs.count > 1
  }

  /// Judges all inputs, then what did not come; returns the worst that was found.
  func run(_ inputs: [Input]) throws(Fault) -> ExitStatus {
    for input in inputs { try judge(input) }
    warnOfRows()
    guard expected.hasReceipts else {
      try tally.requireSuccess(orSay: saysFaults)
      if tally.status == .success { try expected.finish() }
      if hasMany { try print(tally.counts.line) }
      return tally.status
    }
    try expected.forEachLeft { (line, receipt) throws(Fault) in try tellMissing(line, receipt) }
    tally.tellUnsaid(say)
    try print(tally.counts(expected).line)
    return tally.status
  }

  private func warnOfRows() {
    guard expected.hasUntrustedRow else { return }
    say.warning(
      "the rows of the batch were compared, but prove nothing: anyone may have made it",
      hint: "--batch says that vault-get makes it in this pipe, --expect takes the receipts")
  }

  // Of one object without receipts the fault is the tool's own end.
  private var saysFaults: Bool { hasMany || expected.hasReceipts || tally.verdicts > 1 }

  // A fault of one object is said, and the next one is judged.
  private func judge(_ input: Input) throws(Fault) {
    let before = tally.faults
    do throws(Fault) {
      try input.with { (file, watch) throws(Fault) in try judge(input, file, watch) }
    } catch {
      if error.kind == .cancelled || tally.outputIsBroken { throw error }
      if tally.faults > before { return }
      guard input.object != nil, !input.isOpen else {
        tally.note(error)
        if saysFaults { say.error(error) }
        return
      }
      var verdict = Verdict(.consistent(false), .unread)
      verdict.object = input.object
      verdict.error = error.record
      try tell(verdict, error)
    }
  }

  private func judge(
    _ input: Input, _ file: borrowing Descriptor, _ watch: FileWatch?
  ) throws(Fault) {
    expected.digests = digests(file)
    let consumer = CheckConsumer(keys, expecting: expected, object: input.object, say: tell)
    var runner = StreamRunner(consumer, accepting: [.sealed], batches: input.batches)
    try runner.run(from: file) { () throws(Fault) in try watch.check() }
  }

  // No data leaves here, so a malformed manifest is told in its place, with the verdict.
  private func digests(_ file: borrowing Descriptor) -> TakenDigests {
    do throws(Fault) { return try digestsWorthTaking(file, keys, expected) } catch { return .all }
  }

  private func tell(_ verdict: Verdict, _ fault: Fault?) throws(Fault) {
    tally.note(verdict)
    if let fault {
      tally.note(fault)
      if saysFaults { tally.say(fault.of(verdict), say) } else { tally.unsaid = fault.of(verdict) }
    }
    if isQuiet, verdict.isGood { return }
    try print(verdict.line)
  }

  private func tellMissing(_ line: UInt64, _ receipt: Receipt) throws(Fault) {
    let fault = Fault(.nothingJudged, "no object came for the receipt of line \(line)")
    var verdict = Verdict(.verified(false), .missing, item: receipt.item)
    verdict.object = receipt.object
    verdict.error = fault.record
    try tell(verdict, fault)
  }

  private func print(_ line: [UInt8]) throws(Fault) {
    tally.outputIsBroken = true
    let line = line + [0x0A]
    try Descriptor.standardOutput().writeAll(line.span)
    tally.outputIsBroken = false
  }
}

/// What came of the objects so far.
private final class Tally {
  // More are in the verdicts and the counts.
  private static let mostSaid = 100

  var outputIsBroken = false
  /// The first fault of a batch, whose name is needed only when another verdict comes.
  var unsaid: Fault?
  private(set) var counts = VerdictCounts()
  private(set) var status = ExitStatus.success
  private(set) var verdicts = 0
  private(set) var faults = 0
  private var said = 0
  private var first: Fault?

  func note(_ fault: Fault) {
    status = status.worse(fault.status)
    faults += 1
    if first == nil { first = fault }
  }

  func note(_ verdict: Verdict) {
    verdicts += 1
    counts.results[verdict.result, default: 0] += 1
  }

  func say(_ fault: Fault, _ say: Diagnostics) {
    if let unsaid {
      self.unsaid = nil
      self.say(unsaid, say)
    }
    said += 1
    if said <= Tally.mostSaid { say.error(fault) }
  }

  func tellUnsaid(_ say: Diagnostics) {
    if said > Tally.mostSaid { say.warning("\(said - Tally.mostSaid) more are in the verdicts") }
  }

  /// Throws the fault of the only object; those of several have been said.
  func requireSuccess(orSay wereSaid: Bool) throws(Fault) {
    if let first, !wereSaid || said == 0 { throw first }
  }

  /// The counts together with those of the receipts, whose bad lines are a fault too.
  func counts(_ expected: Expectations) -> VerdictCounts {
    var counts = counts
    counts.receipts = UInt64(expected.count)
    counts.notStored = expected.unused?.notStored
    counts.badLines = expected.unused?.badLines
    if counts.badLines ?? 0 > 0 { status = status.worse(.badInput) }
    return counts
  }
}

extension Verdict {
  fileprivate var isGood: Bool { result == .verified || result == .consistent }
}

extension Fault {
  /// The fault with the name of its input, unless it has it already.
  func of(_ input: Input) -> Fault { naming(input.object.map { quoted($0) }) }

  /// The fault with the object of its verdict, or else its item.
  func of(_ verdict: Verdict) -> Fault {
    naming(verdict.object.map { quoted($0) } ?? verdict.item.map { "item \($0)" })
  }

  private func naming(_ name: String?) -> Fault {
    guard let name, !reason.contains(name) else { return self }
    return Fault(kind, "\(name): \(reason)", hint: hint)
  }

  fileprivate var record: RecordError {
    RecordError(
      stage: "vault-open", code: UInt64(status.rawValue), name: kind.rawValue, message: reason)
  }
}
