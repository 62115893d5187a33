public import VaultFault
internal import VaultText

extension AbortOrigin {
  private static let header = "vault-abort/1"

  /// Reads the payload of an abort frame; throws `bad-text` (FORMAT 5.5).
  public init(parsing payload: Span<UInt8>) throws(Fault) {
    var lines = try TextLines(payload, header: AbortOrigin.header, fault: .badText)
    guard let stage = lines.takeString("stage"), AbortOrigin.isName(stage),
      let exit = lines.takeNumber("exit").flatMap(UInt8.init(exactly:)),
      let name = lines.takeString("error"), AbortOrigin.isName(name)
    else { throw lines.malformed("the abort frame") }
    let numbers = (lines.take("numbers") ?? []).compactMap(TextField.number)
    self.init(stage: stage, exit: exit, name: name, numbers: numbers)
    try lines.finish("the abort frame", rewritten: text)
  }

  /// The payload of an abort frame.
  public var payload: [UInt8] { Array(text.utf8) }

  private var text: String {
    var writer = TextWriter(header: AbortOrigin.header)
    writer.line("stage", stage)
    writer.number("exit", UInt64(exit))
    writer.line("error", name)
    if !numbers.isEmpty { writer.line(fields: ["numbers"] + numbers.map(String.init)) }
    return writer.text
  }

  // Names only: an abort frame must not be a way to bring text of an attacker into a receipt.
  private static func isName(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
  }
}
