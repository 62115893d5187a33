import VaultCLI
import VaultFault
import VaultIO
import VaultStore

/// All that `vault-get` reads besides the objects: opened before the doors are shut.
struct Inputs: ~Copyable {
  private let url: Descriptor?
  private let bearer: Descriptor?
  private let done: Descriptor?

  init(_ arguments: Arguments) throws(Fault) {
    let files = [Options.rows, Options.done, Options.urlFile, Options.bearerFile]
    let named = files.compactMap { arguments[$0] } + arguments.operands
    guard named.count(where: \.isDash) < 2 else {
      throw Fault(.usage, "standard input can be read once: there is more than one -")
    }
    let url = try Inputs.url(arguments)
    let bearer = try Inputs.open(arguments[Options.bearerFile])
    let done = try Inputs.open(arguments[Options.done])
    self.url = url
    self.bearer = bearer
    self.done = done
  }

  /// The source that an operand or a URL file names; files are opened at once.
  func name(_ arguments: Arguments) throws(Fault) -> SourceName {
    if let text = try Inputs.line(url) {
      guard case .url(let url) = try SourceName(text) else {
        throw Fault(.usage, "the URL is not a good http or https one")
      }
      return .url(url)
    }
    guard let operand = arguments.operands.first else {
      throw Fault(.usage, "no SOURCE given")
    }
    guard let text = operand.text else { return .file(operand.path) }
    let name = try SourceName(text)
    guard case .url = name else { return name }
    throw Fault(
      .usage, "a URL may be a permission, which others could read on the command line",
      hint: "put it into a file and use --url-file, or --url-fd")
  }

  /// The token, without the line end.
  func token() throws(Fault) -> String? { try Inputs.line(bearer) }

  /// What is done already.
  func doneRows(_ say: Diagnostics) throws(Fault) -> DoneRows {
    let rows = try Inputs.rows(done)
    if let lines = rows.unreadableText {
      say.warning(
        "\(lines) of the receipts: no whole receipt, what it was about is read again",
        hint: "a full disk or a kill leaves such a line; its object may be there without a receipt")
    }
    return rows
  }

  private static func rows(_ file: borrowing Descriptor?) throws(Fault) -> DoneRows {
    try file?.doneRows() ?? DoneRows()
  }

  private static func url(_ arguments: Arguments) throws(Fault) -> Descriptor? {
    if let number = arguments[Options.urlDescriptor] {
      return Descriptor(owning: number, name: "descriptor \(number)")
    }
    return try open(arguments[Options.urlFile])
  }

  private static func open(_ argument: Argument?) throws(Fault) -> Descriptor? {
    guard let argument else { return nil }
    return try openInput(argument)
  }

  private static func line(_ file: borrowing Descriptor?) throws(Fault) -> String? {
    guard var bytes = try file?.readAll(limit: 64 << 10) else { return nil }
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Descriptor {
  fileprivate func doneRows() throws(Fault) -> DoneRows { try DoneRows(from: self) }
}

extension DoneRows {
  fileprivate var unreadableText: String? {
    guard unreadable > 0 else { return nil }
    let more = unreadable - UInt64(unreadableLines.count)
    let numbers = unreadableLines.map(String.init).joined(separator: ", ")
    return (unreadable == 1 ? "line " : "lines ") + numbers + (more > 0 ? " and \(more) more" : "")
  }
}
