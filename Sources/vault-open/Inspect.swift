import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultKeys
import VaultSeal

/// `--inspect`: what can be seen of objects without a key.
enum Inspect {
  static func run(_ arguments: Arguments, _ say: Diagnostics) throws(Fault) -> ExitStatus {
    var protections = try FilterProcess.begin(arguments)
    let inputs = try Input.all(arguments)
    try KeyProcess.confine(&protections)
    guard inputs.count > 1 else {
      try look(at: inputs[0])
      return .success
    }
    var status = ExitStatus.success
    for input in inputs {
      do throws(Fault) { try look(at: input) } catch {
        if error.kind == .cancelled || error.kind == .writeFailed { throw error }
        say.error(error.of(input))
        status = status.worse(error.status)
      }
    }
    return status
  }

  private static func look(at input: Input) throws(Fault) {
    let consumer = InspectConsumer(object: input.object) { (line) throws(Fault) in
      let line = line + [0x0A]
      try Descriptor.standardOutput().writeAll(line.span)
    }
    var runner = StreamRunner(
      consumer, accepting: [.sealed, .slice], batches: input.batches)
    try input.with { (file, _) throws(Fault) in try runner.run(from: file) }
    guard runner.consumer.count > 0 else {
      throw Fault(.nothingJudged, "no object came, so nothing was looked at")
    }
  }
}
