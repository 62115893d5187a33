internal import VaultCrypto
internal import VaultFault
internal import VaultIO
internal import VaultSeal

/// The terminal that is asked for a password: open, not yet asked.
final class Prompt {
  private static let roomForAnswer = 256
  private let terminal: Terminal

  /// Throws `bad-configuration` at once when this process has no terminal.
  init() throws(Fault) { terminal = try Terminal() }

  /// Asks once for a password that exists.
  func password(_ space: String) throws(Fault) -> SpaceSecret {
    let question = Prompt.question("password for", space)
    return try unsafe answer { (free) throws(Fault) in try unsafe terminal.ask(question, into: free)
    }
  }

  /// Asks twice for a password that is made now.
  func newPassword(_ space: String) throws(Fault) -> SpaceSecret {
    let question = Prompt.question("new password for", space)
    return try unsafe answer { (free) throws(Fault) in
      var count = 0
      _ = try Secret(count: Prompt.roomForAnswer) { (again) throws(Fault) in
        count = try unsafe again.withUnsafeMutableBytes { (second) throws(Fault) in
          try unsafe terminal.askNew(question, repeating: "the same again: ", into: free, second)
        }
      }
      return count
    }
  }

  // Typed into locked memory, so that no copy of it is left behind.
  private func answer(
    _ ask: (UnsafeMutableRawBufferPointer) throws(Fault) -> Int
  ) throws(Fault) -> SpaceSecret {
    var count = 0
    let whole = try Secret(count: Prompt.roomForAnswer) { (out) throws(Fault) in
      count = try unsafe out.withUnsafeMutableBytes { (free) throws(Fault) in
        try unsafe ask(free)
      }
    }
    return .password(try Secret(copying: whole.bytes.extracting(0..<count)))
  }

  private static func question(_ what: String, _ space: String) -> String {
    "\(what) \(space.utf8.count < 200 ? space : "the space"): "
  }
}
