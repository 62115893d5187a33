internal import CLinux

/// The variables this process was started with.
public enum Environment {
  /// The value of a variable; nil if it is not set. Bytes that are not UTF-8 are replaced.
  public static func value(_ name: String) -> String? {
    bytes(name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The raw bytes of a variable's value; nil if it is not set.
  public static func bytes(_ name: String) -> [UInt8]? {
    guard !name.utf8.contains(0), let start = unsafe linux_environment(name) else { return nil }
    return unsafe copy(start)
  }

  /// The words of the command line after the program's name, as raw bytes; what `main` was called
  /// with, so that none is lost where /proc is not mounted.
  public static func arguments() -> [[UInt8]] {
    (1..<max(1, linux_argument_count())).compactMap { index in
      guard let word = unsafe linux_argument(index) else { return nil }
      return unsafe copy(word)
    }
  }

  private static func copy(_ start: UnsafePointer<CChar>) -> [UInt8] {
    var bytes: [UInt8] = []
    var next = unsafe start
    while unsafe next.pointee != 0 {
      bytes.append(UInt8(bitPattern: unsafe next.pointee))
      unsafe next += 1
    }
    return bytes
  }
}
