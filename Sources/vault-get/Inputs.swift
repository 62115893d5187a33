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
    if rows.unreadable > 0 {
      say.warning("\(rows.unreadable) lines of the receipts are none, their rows are read again")
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
    return try File.open(argument.path)
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
