import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultKeys

/// One sealed object or stream that a run reads.
///
/// What is named on the command line is one object: bytes at rest may have been put there by anyone. A batch
/// comes through standard input, or where `--batch` says so.
final class Input {
  /// What verdicts call it; nil for standard input.
  let object: String?
  /// Whether it may be a batch.
  let mayBeBatch: Bool
  private let file: Descriptor
  private let fault: Fault?
  private let mayChange: Bool

  /// Opens all that the operands name; with none, or for `-`, standard input.
  ///
  /// Throws when the only one cannot be opened; one of several, or of a check, says so when it is read.
  static func all(_ arguments: Arguments) throws(Fault) -> [Input] {
    let operands = arguments.operands.isEmpty ? [Argument("-")] : arguments.operands
    guard operands.count(where: \.isDash) < 2 else {
      throw Fault(.usage, "standard input can be read once only")
    }
    ThisProcess.allowDescriptors(operands.count + 64)
    var inputs: [Input] = []
    for operand in operands { inputs.append(Input(operand, arguments)) }
    if inputs.count == 1, !arguments[Options.check], let fault = inputs[0].fault { throw fault }
    return inputs
  }

  private init(_ operand: Argument, _ arguments: Arguments) {
    mayChange = arguments[StandardOptions.allowChanges]
    object = operand.isDash ? nil : String(decoding: operand.bytes, as: UTF8.self)
    mayBeBatch = operand.isDash || arguments[ExpectOptions.batch]
    do throws(Fault) {
      file = try openInput(operand)
      fault = nil
    } catch {
      file = Descriptor(borrowing: -1, name: "nothing")
      fault = error
    }
  }

  /// Whether there is anything to read.
  var isOpen: Bool { fault == nil }

  /// What a runner does with a batch.
  var batches: BatchRule {
    mayBeBatch ? .taken : .refused(hint: "a batch comes through standard input, or with --batch")
  }

  /// Lends the descriptor, and a watch of it, where it must stay as it is; throws why there is none, and
  /// `file-changed`.
  func with<Value>(
    _ body: (borrowing Descriptor, FileWatch?) throws(Fault) -> Value
  ) throws(Fault) -> Value {
    if let fault { throw fault }
    let watch = mayChange ? nil : try FileWatch(file)
    return try watch.during { () throws(Fault) in try Input.lend(file, watch, to: body) }
  }

  private static func lend<Value>(
    _ file: borrowing Descriptor, _ watch: FileWatch?,
    to body: (borrowing Descriptor, FileWatch?) throws(Fault) -> Value
  ) throws(Fault) -> Value {
    try body(file, watch)
  }
}
