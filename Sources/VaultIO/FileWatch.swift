internal import CLinux
public import VaultFault

/// What a regular file was like when its reading began: its size, and when its content and all that is
/// known of it last changed. That it is read changes none of them.
///
/// A change within one tick of the file system's clock (some ms on older kernels), and one through a
/// memory map that the kernel has not noted yet, cannot be told.
public struct FileWatch: Sendable {
  private let number: Int32
  private let name: String
  private let size: UInt64
  private let contentTime: Int64
  private let fileTime: Int64

  /// Looks at `file`, which stays open as long as this is used; nil for what is no regular file.
  ///
  /// - Throws: ``VaultFault/FaultKind/readFailed`` if it cannot be looked at.
  public init?(_ file: borrowing Descriptor) throws(Fault) {
    var status = linux_status()
    _ = try require(.readFailed, "cannot look at \(file.name)") {
      unsafe Int(linux_status(file.number, &status))
    }
    guard FileKind(mode: status.mode) == .regular else { return nil }
    number = file.number
    name = file.name
    size = status.size
    contentTime = status.content_time
    fileTime = status.file_time
  }

  /// What is another now, in words; nil if nothing is.
  ///
  /// - Throws: ``VaultFault/FaultKind/readFailed`` if it cannot be looked at.
  public func change() throws(Fault) -> String? {
    let file = Descriptor(borrowing: number, name: name)
    guard let now = try FileWatch(file) else { return "it is no regular file any more" }
    if now.size != size { return "it had \(size) bytes and has \(now.size)" }
    if now.contentTime != contentTime { return "its content was written" }
    return now.fileTime != fileTime ? "its times, mode or names were changed" : nil
  }

  /// Throws if the file is not as it was.
  ///
  /// - Throws: ``VaultFault/FaultKind/fileChanged``.
  public func check() throws(Fault) {
    guard let change = try change() else { return }
    throw Fault(
      .fileChanged, "\(name) changed while it was read: \(change)",
      hint: "read a copy that nobody changes, or give --allow-changes")
  }

  /// Runs `body`, which reads the file, and checks it then: also where its bytes were found bad, since
  /// then the change is the cause.
  public func during<Result>(_ body: () throws(Fault) -> Result) throws(Fault) -> Result {
    let result: Result
    do throws(Fault) { result = try body() } catch {
      if [.badInput, .incomplete].contains(error.status) { try check() }
      throw error
    }
    try check()
    return result
  }
}
