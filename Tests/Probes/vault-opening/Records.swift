import VaultDigest
import VaultFault
import VaultFrame
import VaultIO
import VaultSeal
import VaultText

/// Records of an object each: three numbers of 4 bytes, big-endian, then two fields.
///
/// The numbers are the length of an envelope (0: none is given), the length of the object, and how many
/// bytes of the object the reader gets at once.
enum Records {
  private static let headBytes = 12

  /// Opens each object as `vault-open` does and prints a line: the name of the fault or `ok`, how many
  /// bytes were released, their SHA-256, and that of the manifest's text when all was good.
  static func open(from input: borrowing Descriptor, _ keys: Keyring) throws(Fault) {
    var head = [UInt8](repeating: 0, count: headBytes)
    while try fill(&head, from: input) {
      let numbers = (0..<3).map { Int(head.span.bigEndian(at: 4 * $0, bytes: 4)) }
      var envelope = [UInt8](repeating: 0, count: numbers[0])
      var object = [UInt8](repeating: 0, count: numbers[1])
      guard try fill(&envelope, from: input), try fill(&object, from: input) else {
        throw Fault(.incomplete, "a record is cut")
      }
      let line = Array((try opened(object, envelope, numbers[2], keys) + "\n").utf8)
      try Descriptor.standardOutput().writeAll(line.span)
    }
  }

  private static func fill(
    _ bytes: inout [UInt8], from input: borrowing Descriptor
  ) throws(Fault) -> Bool {
    var filled = 0
    while filled < bytes.count {
      let count = try input.read(into: &bytes, from: filled)
      guard count > 0 else { return false }
      filled += count
    }
    return true
  }

  private static func opened(
    _ object: [UInt8], _ envelope: [UInt8], _ piece: Int, _ keys: Keyring
  ) throws(Fault) -> String {
    let released = try Released()
    var name = "ok"
    var manifest = "-"
    do throws(Fault) {
      let found = try open(object, envelope, piece, keys, released)
      manifest = hex(try Digest.of(found.span, .sha256))
    } catch { name = error.kind.rawValue }
    return "\(name) \(released.count) \(hex(try released.digest.take())) \(manifest)"
  }

  // Returns the text of the manifest.
  private static func open(
    _ object: [UInt8], _ envelope: [UInt8], _ piece: Int, _ keys: Keyring, _ released: Released
  ) throws(Fault) -> [UInt8] {
    var expected = Expectation()
    if !envelope.isEmpty { expected.envelope = try Envelope(parsing: envelope.span) }
    let consumer = DataConsumer(keys, expecting: Expectations(expected)) { (data) throws(Fault) in
      released.count += data.count
      try released.digest.update(data)
    }
    var runner = StreamRunner(consumer, accepting: [.sealed])
    for from in stride(from: 0, to: object.count, by: piece) {
      try runner.push(object.span.extracting(from..<min(object.count, from + piece)))
    }
    try runner.finish()
    guard let opened = runner.consumer.opened else {
      throw Fault(.internalFault, "nothing was opened")
    }
    return opened.manifest.payload
  }
}

/// The data that was released, as it is counted.
private final class Released {
  var count = 0
  var digest: Digest

  init() throws(Fault) { digest = try Digest(.sha256) }
}
