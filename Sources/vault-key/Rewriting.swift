import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultKeys
import VaultSeal

/// Runs one rewriter over lines of receipts, or over a sealed stream.
struct Rewriting {
  private static let longestLine = 1 << 20

  private let rewriter: EnvelopeRewriter
  private let expected: Expectations
  private let say: Diagnostics
  private let takesObjects: Bool
  private let namesItems: Bool
  private let batches: BatchRule
  private let mayBeEmpty: Bool

  init(
    _ rewriter: EnvelopeRewriter, _ expected: Expectations, _ arguments: Arguments,
    _ say: Diagnostics, takesObjects: Bool
  ) {
    self.rewriter = rewriter
    self.expected = expected
    self.say = say
    self.takesObjects = takesObjects
    let isPiped = arguments.operands.first.map(\.isDash) ?? true
    let isBatch = arguments[ExpectOptions.batch]
    namesItems = expected.count == 0 && !isBatch
    batches =
      isPiped || isBatch
      ? .taken : .refused(hint: "a batch comes through standard input, or with --batch")
    mayBeEmpty = isBatch && isPiped && Descriptor.standardInput().isStream && expected.count == 0
  }

  /// Reads to the end. The caller says whether objects or lines come: a stranger's file must not choose.
  ///
  /// Throws `nothing-judged` when there was nothing to rewrite, or what is expected has not come.
  func run(
    from input: borrowing Descriptor, to output: consuming Descriptor
  ) throws(Fault) -> ExitStatus {
    var first = [UInt8](repeating: 0, count: 1)
    guard try input.read(into: &first) > 0 else {
      throw Fault(.incomplete, "the input is empty")
    }
    guard takesObjects else { return try runLines(first, input, output) }
    guard first[0] != UInt8(ascii: "{") else {
      throw Fault(
        .notAStream, "the input is not a vault stream",
        hint: "--receipts says that receipts come, one a line")
    }
    return try runStream(first, input, output)
  }

  private func runStream(
    _ first: [UInt8], _ input: borrowing Descriptor, _ output: consuming Descriptor
  ) throws(Fault) -> ExitStatus {
    try refuseTerminal(output, "a sealed stream")
    let (rewriter, expected, say) = (rewriter, expected, say)
    let (namesItems, mayBeEmpty) = (namesItems, mayBeEmpty)
    var filter = ItemFilter("vault-key", to: DescriptorSink(output)) {
      ObjectRewriter(rewriter, expecting: expected) { item in
        guard namesItems else { return }
        say.warning("item \(item.text) is shared; --item says which one must come")
      }
    }
    filter.beforeEnd = { (isLast) throws(Fault) in
      if isLast, !mayBeEmpty { try expected.finish() }
    }
    var runner = StreamRunner(filter, accepting: [.sealed], batches: batches)
    try runner.push(first.span)
    try runner.run(from: input)
    return .success
  }

  private func runLines(
    _ first: [UInt8], _ input: borrowing Descriptor, _ output: borrowing Descriptor
  ) throws(Fault) -> ExitStatus {
    let receipts = ReceiptRewriter(rewriter, expecting: expected)
    var tally = LineTally(say)
    var out: [UInt8] = []
    try readLines(of: input, after: first, limit: Rewriting.longestLine) { (line) throws(Fault) in
      out += try tally.count(line) { () throws(Fault) in try receipts.rewritten(line) }
    } pause: { () throws(Fault) in
      try output.writeAll(out.span)
      out.removeAll(keepingCapacity: true)
    }
    if tally.status == .success { try expected.finish() }
    return tally.status
  }
}

/// What became of the lines: those that could not be rewritten are named, and decide the status.
private struct LineTally {
  private let say: Diagnostics
  private var number = 0
  private var denied = false
  private var bad: ExitStatus?

  init(_ say: Diagnostics) { self.say = say }

  var status: ExitStatus { denied ? .denied : bad ?? .success }

  /// The line that is to be written: the rewritten one, or the line itself.
  mutating func count(
    _ line: [UInt8], _ rewrite: () throws(Fault) -> [UInt8]?
  ) throws(Fault) -> [UInt8] {
    number += 1
    // An empty line says nothing: a writer that cannot see the end of a file begins with one.
    if line == [0x0A] { return line }
    do throws(Fault) { return try rewrite() ?? line } catch {
      switch error.status {
      case .denied: denied = true
      case .badInput, .usage: bad = bad ?? error.status
      default: throw error
      }
      say.error(Fault(error.kind, "line \(number): \(error.reason)", hint: error.hint))
      return line
    }
  }
}
