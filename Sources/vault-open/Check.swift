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
    if expected.hasUntrustedRow {
      say.warning(
        "the rows of the batch were compared, but prove nothing: anyone may have made it",
        hint: "--batch says that vault-get makes it in this pipe, --expect takes the receipts")
    }
    guard expected.hasReceipts else {
      try tally.requireSuccess(orSay: hasMany)
      try expected.finish()
      if hasMany { try print(tally.counts.line) }
      return tally.status
    }
    try expected.forEachLeft { (line, receipt) throws(Fault) in try tellMissing(line, receipt) }
    try print(tally.counts(expected).line)
    return tally.status
  }

  // A fault of one object is said, and the next one is judged.
  private func judge(_ input: Input) throws(Fault) {
    do throws(Fault) {
      try input.with { (file, watch) throws(Fault) in try judge(input, file, watch) }
    } catch {
      if error.kind == .cancelled || tally.outputIsBroken { throw error }
      tally.note(error)
      guard hasMany || expected.hasReceipts else { return }
      say.error(error.of(input))
    }
  }

  private func judge(
    _ input: Input, _ file: borrowing Descriptor, _ watch: FileWatch?
  ) throws(Fault) {
    expected.digests = digests(file)
    let consumer = CheckConsumer(keys, expecting: expected, object: input.object, say: tell)
    var runner = StreamRunner(consumer, accepting: [.sealed], batches: input.batches)
    try runner.run(from: file)
    do throws(Fault) { try watch.check() } catch {
      runner.consumer.streamFailed(error)
      throw error
    }
    try runner.consumer.streamEnded()
  }

  // No data leaves here, so a malformed manifest is told in its place, with the verdict.
  private func digests(_ file: borrowing Descriptor) -> TakenDigests {
    do throws(Fault) { return try digestsWorthTaking(file, keys, expected) } catch { return .all }
  }

  private func tell(_ verdict: Verdict) throws(Fault) {
    tally.note(verdict)
    if isQuiet, verdict.isGood { return }
    try print(verdict.line)
  }

  private func tellMissing(_ line: UInt64, _ receipt: Receipt) throws(Fault) {
    let fault = Fault(.nothingJudged, "no object came for the receipt of line \(line)")
    var verdict = Verdict(.verified(false), .missing, item: receipt.item)
    verdict.object = receipt.object
    verdict.error = RecordError(
      stage: "vault-open", code: UInt64(fault.status.rawValue), name: fault.kind.rawValue,
      message: fault.reason)
    tally.note(fault)
    say.error(Fault(fault.kind, "\(fault.reason), item \(receipt.item ?? "unknown")"))
    try tell(verdict)
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
  var outputIsBroken = false
  private(set) var counts = VerdictCounts()
  private(set) var status = ExitStatus.success
  private var first: Fault?

  func note(_ fault: Fault) {
    status = status.worse(fault.status)
    if first == nil { first = fault }
  }

  func note(_ verdict: Verdict) { counts.results[verdict.result, default: 0] += 1 }

  /// Throws the fault of the only object; those of several have been said.
  func requireSuccess(orSay wereSaid: Bool) throws(Fault) {
    if let first, !wereSaid { throw first }
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
  /// The fault with the name of its input.
  func of(_ input: Input) -> Fault {
    guard let object = input.object else { return self }
    return Fault(kind, "\(quoted(object)): \(reason)", hint: hint)
  }
}
