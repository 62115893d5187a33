internal import Synchronization
internal import VaultFault
public import VaultIO

extension System {
  /// The machine this process runs on.
  public static let linux = System(
    write: { (descriptor, bytes) throws(Fault) in
      let output =
        descriptor == 1
        ? Descriptor.standardOutput() : Descriptor(borrowing: descriptor, name: "output")
      try output.writeAll(bytes.span)
    },
    say: { bytes in
      // A reader that has stopped must not stop the tool: it is waited for once, until it reads.
      readerIsSlow.withLock { slow in
        slow = !ThisProcess.say(bytes.span, within: slow ? 0 : 500)
      }
    },
    standardErrorIsTerminal: { Descriptor.standardError().isTerminal },
    isInForeground: { ThisProcess.isInForeground(of: 2) },
    now: { Clock.monotonic() },
    exit: { status in ThisProcess.exit(status.rawValue) },
    end: { signal in Signals.raiseDefault(signal) })
}

extension Argument {
  /// The words of this process's command line after the program's name.
  static func ofThisProcess() -> [Argument] {
    Environment.arguments().map { Argument(bytes: $0) }
  }

  /// The argument as the path of a file.
  public var path: Path { Path(bytes: bytes) }
}

private let readerIsSlow = Mutex(false)
