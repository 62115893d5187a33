public import VaultFault

/// A tool of the suite: its command, and how the process around it begins and ends.
///
/// An executable's `main` calls one library function, which makes a tool and calls
/// ``main(_:)``: a closure written in `main` itself would belong to the main actor.
public struct Tool: Sendable {
  /// The version of the whole suite.
  public static let version = "0.1.0"

  /// How a run ends.
  public enum Ending: Equatable, Sendable {
    /// With an exit status.
    case status(ExitStatus)
    /// By a signal that was noticed and is raised again after cleaning up.
    case signal(Int32)
  }

  private let command: Command
  private let system: System
  private let protections: @Sendable () -> ProtectionReport

  /// A tool; `protections` gives the lines that `--version --verbose` adds.
  public init(
    _ command: Command, on system: System = .linux,
    protections: @escaping @Sendable () -> ProtectionReport = { [] }
  ) {
    self.command = command
    self.system = system
    self.protections = protections
  }

  /// Runs `body` on this process's arguments and ends the process.
  public func main(
    _ body: (Arguments, Diagnostics) throws(Fault) -> ExitStatus
  ) -> Never {
    switch run(Argument.ofThisProcess(), body) {
    case .status(let status): system.exit(status)
    case .signal(let number): system.end(number)
    }
  }

  /// Runs `body` on these arguments: help and version are answered here, a fault is said and
  /// becomes the ending.
  public func run(
    _ arguments: [Argument], _ body: (Arguments, Diagnostics) throws(Fault) -> ExitStatus
  ) -> Ending {
    let console = Console(system)
    let quiet = Diagnostics(tool: command.tool, console: console)
    do {
      let arguments = try Parser.parse(arguments, for: command)
      if arguments[StandardOptions.help] {
        try system.write(1, Array(Help.text(of: arguments.command).utf8))
        return .status(.success)
      }
      if arguments[StandardOptions.version] {
        try sayVersion(arguments[StandardOptions.verbose])
        return .status(.success)
      }
      return run(arguments, voice(for: arguments, console), body)
    } catch {
      return ending(error, quiet)
    }
  }

  private func run(
    _ arguments: Arguments, _ diagnostics: Diagnostics,
    _ body: (Arguments, Diagnostics) throws(Fault) -> ExitStatus
  ) -> Ending {
    do {
      return .status(try body(arguments, diagnostics))
    } catch {
      return ending(error, diagnostics)
    }
  }

  private func voice(for arguments: Arguments, _ console: Console) -> Diagnostics {
    Diagnostics(
      tool: command.tool, console: console, verbose: arguments[StandardOptions.verbose])
  }

  private func sayVersion(_ verbose: Bool) throws(Fault) {
    let report = verbose ? protections() : []
    let lines = ["\(command.tool) \(Tool.version)"] + report.lines
    try system.write(1, Array(lines.map { $0 + "\n" }.joined().utf8))
    if let fault = report.fault { throw fault }
  }

  private func ending(_ fault: Fault, _ diagnostics: Diagnostics) -> Ending {
    diagnostics.console.status(nil)
    if let signal = fault.signal { return .signal(signal) }
    diagnostics.error(fault.kind == .usage && fault.hint == nil ? withHelpHint(fault) : fault)
    return .status(fault.status)
  }

  private func withHelpHint(_ fault: Fault) -> Fault {
    Fault(.usage, fault.reason, hint: "\"\(command.tool) --help\" shows the options")
  }
}
