import Synchronization
import VaultCLI
import VaultFault

/// A machine that writes down what was done to it; its clock stands until it is moved.
final class Recorder: Sendable {
  let output = Mutex<[UInt8]>([])
  let messages = Mutex<[[UInt8]]>([])
  let time = Mutex<UInt64>(1_000_000_000_000)
  let foreground = Mutex(true)
  private let terminal: Bool
  private let brokenOutput: Bool

  init(terminal: Bool = false, brokenOutput: Bool = false) {
    self.terminal = terminal
    self.brokenOutput = brokenOutput
  }

  var system: System {
    System(
      write: { [self] (_, bytes) throws(Fault) in
        if brokenOutput {
          throw Fault(.writeFailed, "cannot write standard output: no space left on device")
        }
        output.withLock { $0 += bytes }
      },
      say: { [self] bytes in messages.withLock { $0.append(bytes) } },
      standardErrorIsTerminal: { [terminal] in terminal },
      isInForeground: { [self] in foreground.withLock { $0 } },
      now: { [self] in time.withLock { $0 } },
      exit: { _ in fatalError("no test ends the process") },
      end: { _ in fatalError("no test ends the process") })
  }

  var said: [String] { messages.withLock { $0.map { String(decoding: $0, as: UTF8.self) } } }
  var written: String { output.withLock { String(decoding: $0, as: UTF8.self) } }

  func pass(milliseconds: UInt64) { time.withLock { $0 += milliseconds * 1_000_000 } }
}
