internal import CLinux
internal import Glibc

/// How this process stands with its terminal, and how it ends.
public enum ThisProcess {
  /// Ends at once with an exit status: nothing is flushed, no handler of a library runs.
  public static func exit(_ status: UInt8) -> Never { linux_exit(Int32(status)) }

  /// Lets this process have `count` open descriptors, or as many as its hard limit allows.
  public static func allowDescriptors(_ count: Int) {
    _ = linux_allow_descriptors(UInt32(clamping: count))
  }

  /// Keeps memory that is freed, up to 128 MiB of it, for the next who asks: what comes and goes in
  /// large blocks costs no new pages then. Before any thread is started.
  public static func keepFreedMemory() { linux_keep_freed_memory() }

  /// Whether this process may write to the terminal behind `descriptor`: its group is the one in
  /// the foreground. False for what is no terminal.
  public static func isInForeground(of descriptor: Int32) -> Bool {
    tcgetpgrp(descriptor) == getpgrp()
  }

  /// Writes a message to standard error, in one call if it has at most 4,096 bytes, waiting at most
  /// `milliseconds` for a reader that is slow. Whatever fails is ignored, a broken pipe too: messages
  /// are not data.
  ///
  /// - Returns: false if the reader was too slow.
  public static func say(_ message: Span<UInt8>, within milliseconds: UInt64) -> Bool {
    let deadline = Clock.deadline(inMilliseconds: milliseconds)
    var sent = 0
    while sent < message.count {
      let now = Clock.monotonic()
      let wait = now < deadline ? Int32(clamping: (deadline - now) / 1_000_000 + 1) : 0
      if linux_poll(2, linux_poll_out, wait) <= 0 {
        if wait == 0 { return false }
        continue
      }
      // A pipe that is ready has room for PIPE_BUF bytes: so much does not block.
      let count = write(message.extracting(sent..<min(message.count, sent + 4_096)))
      guard count >= 0 || count == -Int(EINTR) || count == -Int(EAGAIN) else { return true }
      sent += max(0, count)
    }
    return true
  }

  private static func write(_ piece: Span<UInt8>) -> Int {
    unsafe piece.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return unsafe linux_write_message(2, base, bytes.count)
    }
  }
}
