import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultKeys
import VaultRecord
import VaultSeal

/// All that `vault-open` reads: opened before the doors are shut, read after it.
struct Sources: ~Copyable {
  /// The sealed objects or streams, one at the least.
  let inputs: [Input]
  /// The keys.
  let keys: OpeningKeys
  /// What must come.
  let expected: ExpectedObjects
  private let envelope: Descriptor?

  /// Opens what the options name; of several inputs one that cannot be opened does not hide the others.
  init(_ arguments: Arguments) throws(Fault) {
    let keys = try OpeningKeys.open(arguments)
    let inputs = try Input.all(arguments)
    let expected = try ExpectedObjects.open(arguments)
    let envelope = try Sources.open(arguments[Options.envelope])
    self.keys = keys
    self.inputs = inputs
    self.expected = expected
    self.envelope = envelope
  }

  /// What the options say of every item.
  func common(_ arguments: Arguments) throws(Fault) -> Expectation {
    var common = Expectation()
    if arguments[Options.skipDigest] { common.digests = .none }
    guard var text = try envelope?.readAll(limit: 1 << 20) else { return common }
    if text.last == 0x0A { text.removeLast() }
    try common.add(envelope: Sources.envelope(in: text))
    return common
  }

  private static func open(_ argument: Argument?) throws(Fault) -> Descriptor? {
    guard let argument else { return nil }
    return try openInput(argument)
  }

  private static func envelope(in text: [UInt8]) throws(Fault) -> String {
    guard text.first == UInt8(ascii: "{") else {
      return String(decoding: text + [0x0A], as: UTF8.self)
    }
    guard let envelope = try Receipt(line: text).envelope else {
      throw Fault(.badReceipt, "the receipt has no envelope")
    }
    return envelope
  }
}
