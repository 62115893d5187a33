import VaultCLI
import VaultDigest
import VaultFault
import VaultFrame
import VaultIO
import VaultMeasure

/// `--print` and `--check`: sums of files, in the format of sha256sum.
enum Sums {
  /// Prints a line for each file; a file that cannot be read is said and the others go on.
  static func print(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> ExitStatus {
    try begin(arguments)
    var status = ExitStatus.success
    for name in names(arguments) {
      do throws(Fault) {
        let sum = try digest(of: name, arguments)
        let line = SumLine(digest: sum, name: name.bytes)
        try Descriptor.standardOutput().writeAll(line.bytes.span)
      } catch { try note(error, &status, say) }
    }
    return status
  }

  // Files are opened by name, one after the other: so all can be read, and none written.
  private static func begin(_ arguments: Arguments) throws(Fault) {
    var protections = try FilterProcess.begin(arguments)
    try NetworkProcess.confine(&protections, reading: ["/"], writing: [])
  }

  /// Prints a line for each item of a plain stream.
  static func print(
    framed input: borrowing Descriptor, _ arguments: Arguments
  ) throws(Fault) -> ExitStatus {
    let sums = SumConsumer(Options.measure(arguments), arguments[Options.digest]) {
      (line) throws(Fault) in
      let bytes = line.bytes
      try Descriptor.standardOutput().writeAll(bytes.span)
    }
    var runner = StreamRunner(sums, accepting: [.plain])
    try runner.run(from: input)
    return .success
  }

  /// Checks the files that sums files name.
  static func check(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> ExitStatus {
    try begin(arguments)
    var status = ExitStatus.success
    var mismatches = 0
    for name in names(arguments) {
      do throws(Fault) {
        for line in try lines(of: name) {
          mismatches += try check(line, arguments, &status, say) ? 0 : 1
        }
      } catch { try note(error, &status, say) }
    }
    if mismatches > 0 {
      say.warning("\(mismatches) computed sum\(mismatches == 1 ? "" : "s") did not match")
    }
    return status
  }

  private static func check(
    _ line: SumLine, _ arguments: Arguments, _ status: inout ExitStatus, _ say: Diagnostics
  ) throws(Fault) -> Bool {
    do throws(Fault) {
      let matches = try digest(of: Argument(bytes: line.name), arguments) == line.digest
      try answer(line, matches ? "OK" : "FAILED")
      if !matches, status == .success { status = .mismatch }
      return matches
    } catch {
      guard [.readFailed, .fileChanged].contains(error.kind) else { throw error }
      try note(error, &status, say)
      try answer(line, "FAILED open or read")
      return true
    }
  }

  private static func answer(_ line: SumLine, _ word: String) throws(Fault) {
    let text = line.shownName + Array(": \(word)\n".utf8)
    try Descriptor.standardOutput().writeAll(text.span)
  }

  // The first bad file decides the status; only a signal or a broken output ends the run.
  private static func note(
    _ fault: Fault, _ status: inout ExitStatus, _ say: Diagnostics
  ) throws(Fault) {
    if fault.kind == .cancelled || fault.kind == .writeFailed { throw fault }
    say.error(fault)
    if status == .success { status = fault.status }
  }

  private static func names(_ arguments: Arguments) -> [Argument] {
    arguments.operands.isEmpty ? [Argument("-")] : arguments.operands
  }

  private static func digest(
    of name: Argument, _ arguments: Arguments
  ) throws(Fault) -> [UInt8] {
    let input = try openInput(name)
    var digest = try Digest(arguments[Options.digest] == .sha3 ? .sha3_256 : .sha256)
    try arguments.watch(input).during { () throws(Fault) in
      try readToEnd(of: input) { (data) throws(Fault) in try digest.update(data) }
    }
    return try digest.finish()
  }

  private static func lines(of name: Argument) throws(Fault) -> [SumLine] {
    let text = try openInput(name).readAll(limit: 64 << 20)
    let withoutMark = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text[3...] : text[...]
    var lines: [SumLine] = []
    for (number, line) in withoutMark.split(separator: 0x0A).enumerated() {
      if line.first == UInt8(ascii: "#") || line.elementsEqual([0x0D]) { continue }
      guard let sum = SumLine(line) else {
        throw Fault(.badSums, "line \(number + 1) of \(quoted(utf8: name.bytes)) is not a sum")
      }
      lines.append(sum)
    }
    guard !lines.isEmpty else {
      throw Fault(.badSums, "\(quoted(utf8: name.bytes)) has no sums")
    }
    return lines
  }
}
