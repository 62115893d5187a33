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

  /// Opens all that the operands name; with none, or for `-`, standard input.
  ///
  /// Throws when the only one cannot be opened; one of several says so when it is read.
  static func all(_ arguments: Arguments) throws(Fault) -> [Input] {
    let operands = arguments.operands.isEmpty ? [Argument("-")] : arguments.operands
    guard operands.count(where: \.isDash) < 2 else {
      throw Fault(.usage, "standard input can be read once only")
    }
    ThisProcess.allowDescriptors(operands.count + 64)
    var inputs: [Input] = []
    for operand in operands { inputs.append(Input(operand, batch: arguments[ExpectOptions.batch])) }
    if inputs.count == 1, let fault = inputs[0].fault { throw fault }
    return inputs
  }

  private init(_ operand: Argument, batch: Bool) {
    object = operand.isDash ? nil : String(decoding: operand.bytes, as: UTF8.self)
    mayBeBatch = operand.isDash || batch
    do throws(Fault) {
      file = try openInput(operand)
      fault = nil
    } catch {
      file = Descriptor(borrowing: -1, name: "nothing")
      fault = error
    }
  }

  /// Which file it is; nil when it could not be opened.
  var identity: FileIdentity? { file.identity }

  /// What a runner does with a batch.
  var batches: BatchRule {
    mayBeBatch ? .taken : .refused(hint: "a batch comes through standard input, or with --batch")
  }

  /// Lends the descriptor; throws why there is none.
  func with<Value>(
    _ body: (borrowing Descriptor) throws(Fault) -> Value
  ) throws(Fault) -> Value {
    if let fault { throw fault }
    return try Input.lend(file, to: body)
  }

  private static func lend<Value>(
    _ file: borrowing Descriptor, to body: (borrowing Descriptor) throws(Fault) -> Value
  ) throws(Fault) -> Value {
    try body(file)
  }
}
