internal import CLinux
public import VaultFault

/// A thread of the system. Signals are blocked in it: they go to the main thread.
///
/// So what blocks in it is not interrupted by one: reads and writes of pipes belong to the main thread.
public struct WorkerThread: ~Copyable {
  private let thread: UInt
  private var joined = false

  /// Starts `body`.
  ///
  /// - Throws: ``VaultFault/FaultKind/noResources`` if the system gives no thread.
  public init(_ body: @escaping @Sendable () -> Void) throws(Fault) {
    let box = unsafe Unmanaged.passRetained(Body(run: body))
    var thread: UInt = 0
    let result = unsafe linux_thread_start(&thread, runBody, box.toOpaque())
    if result < 0 {
      unsafe box.release()
      throw Fault(.noResources, "cannot start a thread: \(systemReason(-result))")
    }
    self.thread = thread
  }

  deinit { if !joined { linux_thread_detach(thread) } }

  /// Waits for the end of the body. Without it the thread goes on by itself.
  public consuming func join() {
    joined = true
    linux_thread_join(thread)
  }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runBody(_ context: UnsafeMutableRawPointer) {
  unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
}
