internal import CLinux
internal import Glibc
public import VaultFault

/// TERM, INT and HUP, noticed without a race.
///
/// After ``watch(endingWithin:)`` the first of them is remembered, every blocking call of this module
/// is interrupted (also one that was entered just after the question), and then throws
/// ``VaultFault/FaultKind/cancelled``. A signal that was ignored at start stays ignored.
/// Only the main thread's calls are interrupted: threads block signals, see ``WorkerThread``.
public enum Signals {
  /// Starts to watch. A process that has not ended `milliseconds` after the first signal is ended
  /// by it, even from within a blocking call; nil sets no such limit.
  public static func watch(endingWithin milliseconds: Int32? = 2_800) {
    linux_signals_watch(milliseconds ?? 0)
  }

  static func watchIfNot() { if wakeDescriptor < 0 { watch() } }

  /// The first signal that asked us to stop.
  public static var pending: Int32? {
    let number = linux_signals_pending()
    return number == 0 ? nil : number
  }

  /// A descriptor that becomes and stays readable with the first signal, for poll; -1 before
  /// ``watch(endingWithin:)``. Never read from it.
  public static var wakeDescriptor: Int32 { linux_signals_wake_descriptor() }

  /// Throws ``VaultFault/FaultKind/cancelled`` if a signal asked us to stop.
  public static func check() throws(Fault) {
    guard let number = pending else { return }
    throw Fault(.cancelled, "stopped by signal \(name(of: number))", signal: number)
  }

  /// A broken pipe becomes a fault of the write instead of the end of the process.
  public static func ignorePipe() { linux_signals_ignore_pipe() }

  /// Ends this process by the signal itself, so that its parent sees which one it was.
  public static func raiseDefault(_ number: Int32) -> Never { linux_signals_die(number) }

  /// `TERM` for 15; the number for the ones we do not watch.
  public static func name(of number: Int32) -> String {
    switch number {
    case SIGTERM: "TERM"
    case SIGINT: "INT"
    case SIGHUP: "HUP"
    case SIGALRM: "ALRM"
    case SIGKILL: "KILL"
    case SIGPIPE: "PIPE"
    default: String(number)
    }
  }
}
