import VaultCLI
import VaultFault
import VaultFrame
import VaultIO
import VaultKeys
import VaultRecord
import VaultSeal

/// All that `vault-open` reads: opened before the doors are shut, read after it.
struct Sources: ~Copyable {
  /// The sealed object or stream.
  let input: Descriptor
  /// The keys.
  let keys: OpeningKeys
  private let item: ItemID?
  private let receipt: Descriptor?
  private let envelope: Descriptor?

  /// Opens what the options name.
  init(_ arguments: Arguments) throws(Fault) {
    let keys = try OpeningKeys.open(arguments)
    let input = try openInput(arguments.operands.first)
    let receipt = try Sources.open(arguments[Options.expect])
    let envelope = try Sources.open(arguments[Options.envelope])
    self.keys = keys
    self.input = input
    self.receipt = receipt
    self.envelope = envelope
    item = arguments[Options.item].flatMap { ItemID($0) }
  }

  /// What must come.
  func expectation() throws(Fault) -> Expectation {
    var expected = Expectation()
    if let line = try Sources.line(receipt) { try expected.add(Receipt(line: line)) }
    if let item {
      if let other = expected.item, other != item {
        throw Fault(.usage, "--item and --expect name different items")
      }
      expected.item = item
    }
    if let text = try Sources.line(envelope) {
      try expected.add(envelope: Sources.envelope(in: text))
    }
    return expected
  }

  private static func open(_ argument: Argument?) throws(Fault) -> Descriptor? {
    guard let argument else { return nil }
    return try openInput(argument)
  }

  private static func line(_ file: borrowing Descriptor?) throws(Fault) -> [UInt8]? {
    guard let bytes = try file?.readAll(limit: 1 << 20) else { return nil }
    return bytes.last == 0x0A ? bytes.dropLast() : bytes
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
