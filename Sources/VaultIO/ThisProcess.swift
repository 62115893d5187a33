internal import CLinux
internal import Glibc

/// How this process stands with its terminal, and how it ends.
public enum ThisProcess {
  /// Ends at once with an exit status: nothing is flushed, no handler of a library runs.
  public static func exit(_ status: UInt8) -> Never { linux_exit(Int32(status)) }

  /// Whether this process may write to the terminal behind `descriptor`: its group is the one in
  /// the foreground. False for what is no terminal.
  public static func isInForeground(of descriptor: Int32) -> Bool {
    tcgetpgrp(descriptor) == getpgrp()
  }

  /// Writes a message to standard error, in one call if it has at most 4,096 bytes, waiting at most
  /// `milliseconds` for a reader that is slow. Whatever fails is ignored: messages are not data.
  public static func say(_ message: Span<UInt8>, within milliseconds: UInt64) {
    let error = Descriptor.standardError()
    let deadline = Clock.deadline(inMilliseconds: milliseconds)
    var sent = 0
    while sent < message.count {
      let now = Clock.monotonic()
      guard now < deadline else { return }
      let wait = Int32(clamping: (deadline - now) / 1_000_000 + 1)
      guard linux_poll(error.number, linux_poll_out, wait) > 0 else { continue }
      // A pipe that is ready has room for PIPE_BUF bytes: so much does not block.
      let piece = message.extracting(sent..<min(message.count, sent + 4_096))
      let count = error.writeOnce(piece)
      guard count >= 0 || count == -Int(EINTR) || count == -Int(EAGAIN) else { return }
      sent += max(0, count)
    }
  }
}
