internal import Synchronization

/// When progress is shown.
public enum ProgressMode: String, CaseIterable, Sendable {
  /// On a terminal, while in its foreground.
  case auto
  /// On anything: lines where there is no terminal.
  case always
  /// Never.
  case never
  /// JSON Lines.
  case json
}

extension StandardOptions {
  /// `--progress`, of the tools that use the network.
  public static let progress = Option.choice(
    "progress", "WHEN", default: ProgressMode.auto, "show progress on standard error")
}

/// Shows on standard error how far a transfer is; the data path and its threads only report.
///
/// On a terminal the line is replaced at most five times a second and erased at the end; elsewhere
/// there is a line every 10 seconds, or a JSON object a second, and one at the end.
public final class Progress: Sendable {
  private enum Style { case silent, terminal, lines, json }
  private struct State {
    var meter: ProgressMeter
    var lastShown: UInt64
    var ended = false
  }

  private let diagnostics: Diagnostics
  private let style: Style
  private let mode: ProgressMode
  private let state: Mutex<State>

  /// Progress of a run that begins now; `total` is in bytes.
  public init(_ mode: ProgressMode, total: UInt64? = nil, _ diagnostics: Diagnostics) {
    let system = diagnostics.console.system
    self.diagnostics = diagnostics
    self.mode = mode
    switch mode {
    case .never: style = .silent
    case .json: style = .json
    case .auto: style = system.standardErrorIsTerminal() ? .terminal : .silent
    case .always: style = system.standardErrorIsTerminal() ? .terminal : .lines
    }
    let now = system.now()
    state = Mutex(State(meter: ProgressMeter(total: total, now: now), lastShown: now))
  }

  /// Whether anything can ever be shown, so that callers may spare the reports.
  public var isShown: Bool { style != .silent }

  /// Reports to the meter, and shows a line if it is time for one.
  public func report(_ change: (inout ProgressMeter) -> Void) {
    guard style != .silent else { return }
    state.withLock { state in
      change(&state.meter)
      show(&state)
    }
  }

  /// Shows a line if it is time for one: for whoever waits while nothing moves.
  public func tick() { report { _ in } }

  /// Ends the run: erases the line, or writes the last one. Said again, it changes nothing.
  public func end() {
    state.withLock { state in
      guard style != .silent, !state.ended else { return }
      state.ended = true
      let reading = state.meter.reading(at: diagnostics.console.system.now())
      switch style {
      case .silent: break
      case .terminal: diagnostics.console.status(nil)
      case .lines: diagnostics.console.line("\(diagnostics.tool): \(reading.line)")
      case .json: diagnostics.console.line(reading.json(ended: true))
      }
    }
  }

  private func show(_ state: inout State) {
    let system = diagnostics.console.system
    let now = system.now()
    guard !state.ended, now >= state.lastShown + interval else { return }
    state.lastShown = now
    let reading = state.meter.reading(at: now)
    switch style {
    case .silent: break
    case .terminal:
      // A job in the background must not write over the shell's prompt.
      guard mode == .always || system.isInForeground() else { return }
      diagnostics.console.status("\(diagnostics.tool): \(reading.line)")
    case .lines: diagnostics.console.line("\(diagnostics.tool): \(reading.line)")
    case .json: diagnostics.console.line(reading.json(ended: false))
    }
  }

  private var interval: UInt64 {
    switch style {
    case .silent, .lines: 10_000_000_000
    case .terminal: 200_000_000
    case .json: 1_000_000_000
    }
  }
}
